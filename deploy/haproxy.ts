/**
 * HAProxy in front of a `PostgresCluster`, with the configuration in deploy/haproxy.cfg. This process serves the health checks
 * that Patroni would serve, by which HAProxy finds the primary.
 */
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { PostgresCluster } from './postgres-cluster.ts';
import { ROOT } from './processes.ts';

/** A line of the configuration that defines a server. */
const SERVER = /^ {2}server db\d /;

export interface Checks {
  /** The ports of the health checks, in the order of the servers of the cluster. */
  readonly ports: readonly number[];
  close(): void;
}

/** Serves `GET /primary` for each server of the cluster: 200 for the one that accepts writes, otherwise 503. */
export async function serveChecks(cluster: PostgresCluster): Promise<Checks> {
  const checks = cluster.servers.map((_, index) =>
    createServer(async (_request, response) => {
      const isPrimary = await cluster.servers[index]?.takesWrites();
      response.writeHead(isPrimary ? 200 : 503).end();
    }),
  );
  return {
    ports: await Promise.all(checks.map(listen)),
    close: () => {
      for (const check of checks) {
        check.closeAllConnections();
        check.close();
      }
    },
  };
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a TCP port has an address of this type.
  return (server.address() as AddressInfo).port;
}

/** Writes the configuration with local addresses. @returns the path of the file. */
export async function writeHaproxyConfiguration(
  directory: string,
  port: number,
  cluster: PostgresCluster,
  { ports }: Checks,
): Promise<string> {
  const given = await readFile(join(ROOT, 'deploy/haproxy.cfg'), 'utf8');
  const servers = cluster.servers.map(
    (server, index) => `  server ${server.name} 127.0.0.1:${server.port} check port ${ports[index]}`,
  );
  const lines = given.replace('bind :5000', `bind 127.0.0.1:${port}`).split('\n');
  const first = lines.findIndex((line) => SERVER.test(line));
  const configured = [
    ...lines.slice(0, first),
    ...servers,
    ...lines.slice(first).filter((line) => !SERVER.test(line)),
  ];
  const file = join(directory, 'haproxy.cfg');
  await writeFile(file, configured.join('\n'));
  return file;
}
