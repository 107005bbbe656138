package main

import (
	"errors"
	"flag"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// container is one of the example for Kubernetes.
type container struct {
	Name          string
	Image         string
	Command, Args []string
	Env           []struct {
		Name      string
		ValueFrom struct {
			SecretKeyRef struct{ Name, Key string } `yaml:"secretKeyRef"`
		} `yaml:"valueFrom"`
	}
	Mounts []struct{ Name, MountPath string } `yaml:"volumeMounts"`
}

// labels are what pods are chosen by.
type labels struct {
	Labels map[string]string `yaml:"matchLabels"`
}

// pod is what starts containers.
type pod struct {
	Metadata struct{ Labels map[string]string }
	Spec     struct {
		Containers []container
		Volumes    []struct{ Name string }
	}
}

// object is a document of the example, with the fields that matter here.
type object struct {
	Kind     string
	Metadata struct{ Name string }
	Spec     struct {
		FlinkVersion string `yaml:"flinkVersion"`
		TaskManager  struct {
			PodTemplate pod `yaml:"podTemplate"`
		} `yaml:"taskManager"`
		Template pod
		Ports    []struct{ Port int }
		Pods     labels `yaml:"podSelector"`
		Ingress  []struct {
			From []struct {
				Pods labels `yaml:"podSelector"`
			}
		}
	}
}

// allow adds who may ask the pods that a policy is for.
func (o *object) allow(allowed map[string][]string) {
	app := o.Spec.Pods.Labels["app"]
	for _, rule := range o.Spec.Ingress {
		for _, from := range rule.From {
			allowed[app] = append(allowed[app], from.Pods.Labels["app"])
		}
	}
}

// The parts of the example for Kubernetes fit together: the launcher's flags are those of this program, it asks the job
// server where that is, the server the cluster, and the seed is with launcher and workers and nobody else.
func TestKubernetes(t *testing.T) {
	t.Cleanup(func() { // Beam's flags are the process's
		for _, name := range []string{"runner", "endpoint", "environment_type", "environment_config", "parallelism"} {
			_ = flag.Set(name, flag.Lookup(name).DefValue)
		}
	})
	f, err := os.Open("../../cluster/kubernetes.yaml")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	of, containers := map[string]object{}, map[string]container{}
	apps, allowed := map[string]bool{"dither-flink": true}, map[string][]string{} // the operator gives its pods the first
	for d := yaml.NewDecoder(f); ; {
		var o object
		if err := d.Decode(&o); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		of[o.Kind] = o
		apps[o.Spec.Template.Metadata.Labels["app"]] = true
		o.allow(allowed)
		for _, p := range []pod{o.Spec.Template, o.Spec.TaskManager.PodTemplate} {
			for _, c := range p.Spec.Containers {
				containers[c.Name] = c
				for _, m := range c.Mounts {
					if !slices.ContainsFunc(p.Spec.Volumes, func(v struct{ Name string }) bool { return v.Name == m.Name }) {
						t.Errorf("%s mounts %s, which its pod has not", c.Name, m.Name)
					}
				}
			}
		}
	}
	for _, name := range []string{"launcher", "worker"} {
		c := containers[name]
		if len(c.Command) < 2 || len(c.Env) != 1 || len(c.Mounts) != 1 {
			t.Fatalf("%s: %+v", name, c)
		}
		verb, flags, err := root().Find(c.Command[1:])
		if err == nil {
			err = verb.ParseFlags(flags)
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if name == "launcher" && verb.Flag("seed-env").Value.String() != c.Env[0].Name {
			t.Errorf("the launcher's seed is in %s", c.Env[0].Name)
		}
	}
	guarded(t, apps, allowed)
	version := strings.Replace(of["FlinkDeployment"].Spec.FlinkVersion[1:], "_", ".", 1)
	launcher, worker, server := containers["launcher"], containers["worker"], containers["server"]
	if launcher.Env[0] != worker.Env[0] || len(server.Env) > 0 || len(server.Mounts) > 0 {
		t.Error("the seed or the data are not with launcher and workers alone")
	}
	for holder, said := range map[string]string{
		strings.Join(launcher.Command, " "): "--endpoint=" + of["Service"].Metadata.Name + ":8099",
		strings.Join(server.Args, " "):      "--flink-master=" + of["FlinkDeployment"].Metadata.Name + "-rest:8081",
		server.Image:                        "flink" + version + "_job_server",
	} {
		if !strings.Contains(holder, said) {
			t.Errorf("%q is not in %q", said, holder)
		}
	}
}

// guarded looks at who may ask whom: apps are those of pods, allowed are by app those that its policy names.
func guarded(t *testing.T, apps map[string]bool, allowed map[string][]string) {
	t.Helper()
	operator := ""
	for app, by := range map[string][]string{"dither-flink": {"dither-flink", "dither-jobs", operator},
		"dither-jobs": {"dither"}} {
		if !slices.Equal(allowed[app], by) || !apps[app] {
			t.Errorf("%s may be asked by %q, expected %q", app, allowed[app], by)
		}
	}
	if !apps["dither"] {
		t.Error("no policy knows the launcher")
	}
}
