# The program alone, for nobody in particular, in an image without a shell. It needs no network:
#
#	docker build -t dither .
#	docker run --rm --network none --read-only --tmpfs /tmp -u "$(id -u):$(id -g)" -v "$PWD:/data" dither protect patients.csv --class readmitted -o release.csv
FROM golang:1.26 AS build
WORKDIR /src
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags="-s -w -buildid=" -o /out/dither ./cmd/dither

FROM gcr.io/distroless/static-debian12:nonroot
COPY --from=build /out/dither /usr/bin/dither
COPY LICENSE THIRD_PARTY_NOTICES /usr/share/doc/dither/
WORKDIR /data
ENTRYPOINT ["/usr/bin/dither"]
