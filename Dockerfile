# matchd as one file on a small system. Build: docker build -t matchd .
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build

FROM debian:bookworm-slim
# Roots of trust: webhooks and Google are spoken to over TLS.
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/*
RUN groupadd --system --gid 10001 matchd && useradd --system --uid 10001 --gid matchd --home-dir /data --no-create-home matchd
RUN install -d -o matchd -g matchd -m 0700 /data /backups
COPY --from=build /build/dist/matchd /usr/local/bin/matchd
USER matchd
WORKDIR /data
ENV MATCHD_DATA=/data MATCHD_HOST=0.0.0.0 MATCHD_PORT=4000
VOLUME ["/data", "/backups"]
EXPOSE 4000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s CMD ["matchd", "healthcheck"]
ENTRYPOINT ["matchd"]
CMD ["serve"]
