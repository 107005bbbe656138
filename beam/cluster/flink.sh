#!/usr/bin/env bash
# A small Flink cluster on this machine, for tests: a JobManager, two TaskManagers and Beam's job server, all of them
# processes of their own, listening at localhost only. What it needs is downloaded once, 330 MB, from PyPI and Maven.
#
#	flink.sh install DIR    # needs pip, mvn, python3 and Java 17
#	flink.sh start DIR      # then: dither-beam protect ... --runner flink --endpoint localhost:8099 --environment_type LOOPBACK
#	flink.sh kill DIR N     # one of the TaskManagers, without a word to it
#	flink.sh stop DIR
set -euo pipefail
verb=$1
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$2"
dir=$(cd "$2" && pwd)
flink=$dir/flink

install() {
  [ ! -f "$dir/installed" ] || return 0
  mkdir -p "$flink/conf" "$flink/log" "$dir/pip" "$dir/server"
  pip download -q --no-deps --no-binary :all: -d "$dir/pip" apache-flink-libraries==1.19.3
  tar xzf "$dir/pip/apache-flink-libraries-1.19.3.tar.gz" -C "$dir/pip"
  cp -r "$dir/pip/apache-flink-libraries-1.19.3/deps/." "$flink/"
  rm -rf "$dir/pip"
  mvn -B -q -f "$here/flink-pom.xml" dependency:copy-dependencies -DincludeScope=runtime \
    -DoutputDirectory="$dir/jars"
  python3 "$here/onejar.py" "$dir/jars" "$dir/server/beam.jar" # one jar is uploaded with a job, not 130
  cp "$dir/server/beam.jar" "$flink/lib/"
  rm -rf "$dir/jars"
  touch "$dir/installed"
}

# opened are the packages that Flink 1.19 looks into by reflection, which Java 17 closes.
opened() {
  for p in lang lang.invoke lang.reflect io net nio util util.concurrent util.concurrent.atomic util.concurrent.locks \
    text time; do
    printf -- '--add-opens=java.base/java.%s=ALL-UNNAMED ' $p
  done
  for p in nio.ch nio.cs security.action util.calendar; do
    printf -- '--add-opens=java.base/sun.%s=ALL-UNNAMED ' $p
  done
  printf -- '--add-exports=java.base/sun.net.util=ALL-UNNAMED -Dlog4j.configurationFile=file:%s ' \
    "$flink/conf/log4j.properties"
}

configure() {
  cat >"$flink/conf/flink-conf.yaml" <<END
jobmanager.rpc.address: localhost
rest.address: localhost
rest.bind-address: localhost
rest.port: 8081
parallelism.default: 2
taskmanager.numberOfTaskSlots: 2
classloader.resolve-order: parent-first
heartbeat.interval: 2000
heartbeat.timeout: 10000
restart-strategy.type: fixed-delay
restart-strategy.fixed-delay.attempts: 5
restart-strategy.fixed-delay.delay: 2 s
io.tmp.dirs: $dir/tmp
END
  printf '%s\n' rootLogger.level=INFO rootLogger.appenderRef.c.ref=C appender.c.name=C appender.c.type=CONSOLE \
    appender.c.layout.type=PatternLayout 'appender.c.layout.pattern=%d %p %c %m%n' >"$flink/conf/log4j.properties"
}

# run starts a process in the background; its output goes to NAME.log, its number to NAME.pid.
run() {
  local name=$1
  shift
  setsid "$@" >"$dir/$name.log" 2>&1 </dev/null &
  echo $! >"$dir/$name.pid"
}

start() {
  configure
  rm -rf "$dir"/*.pid "$dir/artifacts" "$dir/tmp" # what was killed leaves its files there
  mkdir -p "$dir/tmp"
  local java
  read -ra java <<<"java $(opened)"
  run jobmanager "${java[@]}" -Xmx512m -cp "$flink/lib/*" \
    org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint --configDir "$flink/conf" \
    -D jobmanager.memory.heap.size=512mb -D jobmanager.memory.off-heap.size=128mb \
    -D jobmanager.memory.jvm-metaspace.size=256mb -D jobmanager.memory.jvm-overhead.min=200mb \
    -D jobmanager.memory.jvm-overhead.max=200mb
  for i in 1 2; do
    run taskmanager$i "${java[@]}" -Xmx768m -XX:MaxDirectMemorySize=1g -cp "$flink/lib/*" \
      org.apache.flink.runtime.taskexecutor.TaskManagerRunner --configDir "$flink/conf" \
      -D taskmanager.resource-id=taskmanager$i -D taskmanager.cpu.cores=2 \
      -D taskmanager.memory.framework.heap.size=128mb -D taskmanager.memory.task.heap.size=640mb \
      -D taskmanager.memory.framework.off-heap.size=128mb -D taskmanager.memory.task.off-heap.size=256mb \
      -D taskmanager.memory.managed.size=256mb -D taskmanager.memory.network.min=512mb \
      -D taskmanager.memory.network.max=512mb -D taskmanager.memory.jvm-metaspace.size=256mb \
      -D taskmanager.memory.jvm-overhead.min=192mb -D taskmanager.memory.jvm-overhead.max=192mb
  done
  await "two TaskManagers" 180 two
  local log4j
  log4j=$(printf '%s:' "$flink"/lib/log4j-*.jar)
  run server "${java[@]}" -Xmx1g -cp "$dir/server/beam.jar:$log4j" org.apache.beam.runners.flink.FlinkJobServerDriver \
    --flink-master=localhost:8081 --flink-conf-dir="$flink/conf" --job-host=localhost --job-port=8099 \
    --artifact-port=8098 --expansion-port=8097 --artifacts-dir="$dir/artifacts"
  await "the job server" 120 served
}

two() { curl -fs localhost:8081/overview | grep -q '"taskmanagers":2'; }
served() { grep -q "JobService started" "$dir/server.log"; }

await() {
  for _ in $(seq "$2"); do
    ! "$3" 2>/dev/null || return 0
    sleep 1
  done
  echo "flink.sh: $1 did not come within $2 s; see the logs in $dir" >&2
  stop
  return 1
}

stop() {
  for f in "$dir"/*.pid; do
    [ ! -f "$f" ] || kill -- "-$(cat "$f")" 2>/dev/null || true
    rm -f "$f"
  done
}

case $verb in
install) install ;;
start) start ;;
kill) kill -9 "$(cat "$dir/taskmanager$3.pid")" ;;
stop) stop ;;
*)
  echo "flink.sh: install, start, kill or stop" >&2
  exit 2
  ;;
esac
