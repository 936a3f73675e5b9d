# The version of the npm package `node` in package-lock.json, which the tests use.
ARG NODE_VERSION=24.21.0

FROM node:${NODE_VERSION}-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The image has Node, so it does not need the package `node`, which is for hosts with an older one.
RUN npm ci --omit=dev && rm -rf node_modules/node node_modules/.bin/node && npm cache clean --force

FROM node:${NODE_VERSION}-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY package.json CHANGELOG.md LICENSE* ./
COPY bin ./bin
COPY schema ./schema
COPY resolvers ./resolvers
COPY rest ./rest
COPY docs ./docs
COPY src ./src
# The compile cache of Node, so that no start compiles the server again. Node only uses a cache of the same user; afterwards, no user can
# change it.
ENV NODE_COMPILE_CACHE=/app/compiled
RUN mkdir compiled && chown node compiled && su node -c "node src/cli/compile.ts" && chown -R root:root compiled
# The only folder that the server can write to: for keys, and for the SQLite database.
RUN mkdir data && chown node:node data && ln -s /app/bin/portico.js /usr/local/bin/portico
USER node
VOLUME /app/data
EXPOSE 4000
# A check starts Node, and waits for the server, which waits for the database for two seconds.
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "/app/bin/portico.js", "healthcheck"]
# Node is the first process, so that SIGTERM reaches it and it can complete running requests.
ENTRYPOINT ["node", "/app/bin/portico.js"]
CMD ["serve"]
