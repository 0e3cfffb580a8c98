# The service, the worker and the command line in one image (docs/containers.md).
FROM node:24-bookworm-slim AS installed
WORKDIR /app
COPY . .
# The first installation builds the dashboard, and bundles wallets and programs. The second one leaves out what has built them.
RUN npm ci --omit=dev --no-audit --no-fund \
    && rm -rf node_modules \
    && npm ci --omit=dev --ignore-scripts --workspace=apps/http --workspace=apps/worker --workspace=apps/cli --no-audit --no-fund

FROM node:24-bookworm-slim
ENV NODE_ENV=production \
    QUITTANCE_HOST=0.0.0.0 \
    QUITTANCE_PORT=3000 \
    QUITTANCE_METRICS_PORT=9464 \
    QUITTANCE_DATA_DIR=/data
# Belongs to root: the service cannot change its own code.
COPY --from=installed /app /app
RUN install --directory --owner=1000 --group=1000 --mode=0700 /data
USER 1000:1000
WORKDIR /app
VOLUME /data
EXPOSE 3000 9464
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
    CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.QUITTANCE_PORT + '/health').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--disable-warning=ExperimentalWarning", "--max-semi-space-size=4"]
CMD ["apps/http/src/main.ts"]
