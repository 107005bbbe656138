#!/usr/bin/env bash
# Small clusters on this machine, for tests: Flink 1.19 (a JobManager and two TaskManagers) and Spark 3.5 (a master and two
# workers), each with Beam's job server. All of them are processes of their own, listening at localhost only. What they
# need is downloaded once from PyPI and Maven; logs, temporary files and the processes' numbers are in DIR.
#
#	cluster.sh install DIR           # needs pip, mvn, python3 and Java 17
#	cluster.sh start flink DIR [N]   # N TaskManagers; then: dither-beam protect ... --runner flink --endpoint localhost:8099
#	cluster.sh start spark DIR       # then: dither-beam protect ... --runner spark --endpoint localhost:8199
#	cluster.sh kill NAME DIR         # a process, such as taskmanager1, without a word to it
#	cluster.sh again NAME DIR        # start a killed process again
#	cluster.sh stop DIR              # all that runs
#
# DITHER_SLOTS, DITHER_PATIENCE and DITHER_RESTARTS are a TaskManager's slots (2), the seconds after which a silent one
# is taken for dead (10), and how often a job is tried again (5). With DITHER_RELAYED, what Flink's machines send each other goes to ports 1000 below those that they listen at (22001,
# 22002, ... for data, 24001, ... for calls), where a relay must listen.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

usage() {
  sed -n '6,11s/^#	//p' "$0" >&2
  exit 2
}

# download FOLDER PACKAGE VERSION unpacks the folder deps of a Python package, where its program's jars are.
download() {
  pip download -q --no-deps --no-binary :all: -d "$dir/pip" "$2==$3"
  tar xzf "$dir/pip/$2-$3.tar.gz" -C "$dir/pip"
  cp -r "$dir/pip/$2-$3/deps/." "$1/"
  rm -rf "$dir/pip"
}

# server ENGINE makes one jar of Beam's job server: one is uploaded with a job, not 130.
server() {
  mvn -B -q -f "$here/$1-pom.xml" dependency:copy-dependencies -DincludeScope=runtime -DoutputDirectory="$dir/jars"
  if [ "$1" = spark ]; then # these are Spark's own
    rm "$dir"/jars/{slf4j,jackson,snappy,metrics-core,avro,commons-lang3,commons-compress,commons-io}*
  fi
  python3 "$here/onejar.py" "$dir/jars" "$dir/$1.jar"
  rm -rf "$dir/jars"
}

install() {
  [ ! -f "$dir/installed" ] || return 0
  mkdir -p "$flink/conf" "$spark"
  download "$flink" apache-flink-libraries 1.19.3
  download "$spark" pyspark 3.5.6
  server flink
  server spark
  cp "$dir/flink.jar" "$flink/lib/"
  touch "$dir/installed"
}

# java are the options of every process: the packages that Flink and Spark look into by reflection, which Java 17 closes,
# a folder for temporary files that is removed at the end, and what is logged.
java() {
  printf 'java -XX:-UsePerfData -Djava.io.tmpdir=%s -Dlog4j.configurationFile=file:%s ' "$dir/tmp" "$dir/log4j.properties"
  for p in lang lang.invoke lang.reflect io net nio util util.concurrent util.concurrent.atomic util.concurrent.locks \
    text time; do
    printf -- '--add-opens=java.base/java.%s=ALL-UNNAMED ' $p
  done
  for p in nio.ch nio.cs security.action util.calendar; do
    printf -- '--add-opens=java.base/sun.%s=ALL-UNNAMED ' $p
  done
  printf -- '--add-exports=java.base/sun.net.util=ALL-UNNAMED'
}

# run starts a process in the background; its output goes to NAME.log, its number to NAME.pid.
run() {
  local name=$1
  shift
  printf '%q ' "$@" >"$dir/$name.command"
  setsid "$@" >>"$dir/$name.log" 2>&1 </dev/null &
  echo $! >"$dir/$name.pid"
}

again() { eval "run $1 $(cat "$dir/$1.command")"; }

# await WHAT SECONDS COMMAND... waits until the command is true.
await() {
  local what=$1 seconds=$2
  shift 2
  for _ in $(seq "$seconds"); do
    ! "$@" 2>/dev/null || return 0
    sleep 1
  done
  echo "cluster.sh: $what did not come within $seconds s; see the logs in $dir" >&2
  stop
  return 1
}

registered() { [ "$(curl -fs localhost:8081/overview | grep -o '"taskmanagers":[0-9]*')" = "\"taskmanagers\":$1" ]; }
alive() { [ "$(curl -fs localhost:8088/json/ | grep -o '"aliveworkers" *: *[0-9]*' | grep -o '[0-9]*$')" = "$1" ]; }
answers() { (: </dev/tcp/localhost/"$1"); }

# serve PORT JAVA... starts Beam's job server; the two ports below are its, too.
serve() {
  local port=$1
  shift
  run server "${java[@]}" -Xmx1g "$@" --job-host=localhost --job-port="$port" --artifact-port=$((port - 1)) \
    --expansion-port=$((port - 2)) --artifacts-dir="$dir/tmp/artifacts"
  await "the job server" 120 answers "$port"
}

start_flink() {
  cat >"$flink/conf/flink-conf.yaml" <<YAML
jobmanager.rpc.address: localhost
rest.address: localhost
rest.bind-address: localhost
rest.port: 8081
parallelism.default: $1
taskmanager.numberOfTaskSlots: ${DITHER_SLOTS:-2}
classloader.resolve-order: parent-first
heartbeat.interval: 2000
heartbeat.timeout: ${DITHER_PATIENCE:-10}000
restart-strategy.type: fixed-delay
restart-strategy.fixed-delay.attempts: ${DITHER_RESTARTS:-5}
restart-strategy.fixed-delay.delay: 2 s
cluster.evenly-spread-out-slots: true
taskmanager.network.tcp-connection.enable-reuse-across-jobs: false
taskmanager.network.sort-shuffle.min-buffers: 64
io.tmp.dirs: $dir/tmp
YAML
  run jobmanager "${java[@]}" -Xmx512m -cp "$flink/lib/*" \
    org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint --configDir "$flink/conf" \
    -D jobmanager.memory.heap.size=512mb -D jobmanager.memory.off-heap.size=128mb \
    -D jobmanager.memory.jvm-metaspace.size=256mb -D jobmanager.memory.jvm-overhead.min=200mb \
    -D jobmanager.memory.jvm-overhead.max=200mb
  local relayed
  for i in $(seq "$1"); do
    relayed=()
    [ -z "${DITHER_RELAYED-}" ] || relayed=(-D "taskmanager.data.port=$((21000 + i))" -D "taskmanager.data.bind-port=$((22000 + i))"
      -D "taskmanager.rpc.port=$((23000 + i))" -D "taskmanager.rpc.bind-port=$((24000 + i))")
    run "taskmanager$i" "${java[@]}" -Xmx768m -XX:MaxDirectMemorySize=1g \
      -cp "$flink/lib/*" org.apache.flink.runtime.taskexecutor.TaskManagerRunner --configDir "$flink/conf" \
      -D "taskmanager.resource-id=taskmanager$i" -D taskmanager.cpu.cores=2 \
      -D taskmanager.memory.framework.heap.size=128mb -D taskmanager.memory.task.heap.size=640mb \
      -D taskmanager.memory.framework.off-heap.size=128mb -D taskmanager.memory.task.off-heap.size=256mb \
      -D taskmanager.memory.managed.size=256mb -D taskmanager.memory.network.min=512mb \
      -D taskmanager.memory.network.max=512mb -D taskmanager.memory.jvm-metaspace.size=256mb \
      -D taskmanager.memory.jvm-overhead.min=192mb -D taskmanager.memory.jvm-overhead.max=192mb "${relayed[@]}"
  done
  await "$1 TaskManagers" $((120 + 30 * $1)) registered "$1"
  serve 8099 -cp "$dir/flink.jar:$(printf '%s:' "$flink"/lib/log4j-*.jar)" \
    org.apache.beam.runners.flink.FlinkJobServerDriver --flink-master=localhost:8081 --flink-conf-dir="$flink/conf"
}

start_spark() {
  local classes="$spark/jars/*"
  run master "${java[@]}" -Xmx512m -cp "$classes" org.apache.spark.deploy.master.Master --host localhost --port 7077 \
    --webui-port 8088
  for i in $(seq "$1"); do
    run "worker$i" "${java[@]}" -Xmx512m -cp "$classes" org.apache.spark.deploy.worker.Worker --host localhost --cores 1 \
      --memory 1g --work-dir "$dir/tmp/work$i" --webui-port $((8090 + i)) spark://localhost:7077
  done
  await "$1 workers" 120 alive "$1"
  serve 8199 -Dspark.executor.extraJavaOptions="${java[*]:1}" -Dspark.executor.memory=900m -Dspark.ui.enabled=false \
    -Dspark.driver.host=localhost -Dspark.driver.bindAddress=127.0.0.1 -Dspark.executor.extraClassPath="$dir/spark.jar" \
    -cp "$dir/spark.jar:$classes" org.apache.beam.runners.spark.SparkJobServerDriver \
    --spark-master-url=spark://localhost:7077
}

start() {
  [ -f "$dir/installed" ] || { echo "cluster.sh: nothing is installed in $dir" >&2; exit 1; }
  stop
  rm -f "$dir"/*.log
  mkdir -p "$dir/tmp"
  local java
  read -ra java <<<"$(java)"
  printf '%s\n' rootLogger.level=INFO rootLogger.appenderRef.c.ref=C appender.c.name=C appender.c.type=CONSOLE \
    appender.c.layout.type=PatternLayout 'appender.c.layout.pattern=%d %p %c %m%n' >"$dir/log4j.properties"
  "start_$1" "${2:-2}"
}

# stop ends every process that was started, with its children, and removes what they wrote but the logs.
stop() {
  local f left
  for signal in TERM KILL; do
    for _ in $(seq 20); do
      left=
      for f in "$dir"/*.pid; do
        [ -f "$f" ] || continue
        kill -$signal -- "-$(cat "$f")" 2>/dev/null && left=yes || rm -f "$f"
      done
      [ -n "$left" ] || break 2
      sleep 0.5
    done
  done
  rm -rf "$dir/tmp" "$dir"/*.command
}

enter() {
  mkdir -p "$1"
  dir=$(cd "$1" && pwd) flink=$dir/flink spark=$dir/spark
  export SPARK_HOME=$spark SPARK_SCALA_VERSION=2.12 SPARK_LOCAL_DIRS=$dir/tmp SPARK_LOCAL_IP=127.0.0.1
}

case "${1-} $#" in
"install 2") enter "$2" && install ;;
"start "[34]) case $2 in flink | spark) enter "$3" && start "$2" "${4-}" ;; *) usage ;; esac ;;
"again 3") enter "$3" && again "$2" ;;
"kill 3") enter "$3" && kill -9 "$(cat "$dir/$2.pid")" ;;
"stop 2") enter "$2" && stop ;;
*) usage ;;
esac
