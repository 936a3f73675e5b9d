/**
 * A primary with streaming replicas. Each commit waits until one replica has received it, so that a promotion keeps all
 * acknowledged changes. In production, Patroni, repmgr or a provider does this.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PostgresServer } from './postgres.ts';

export class PostgresCluster {
  readonly #programs: string;
  readonly #folder: string;
  readonly #servers: PostgresServer[] = [];
  #primary: PostgresServer | undefined;

  /** @param folder a folder that the PostgreSQL user can access. */
  constructor(programs: string, folder: string) {
    this.#programs = programs;
    this.#folder = folder;
  }

  get servers(): readonly PostgresServer[] {
    return this.#servers;
  }

  get primary(): PostgresServer {
    if (!this.#primary) throw new Error('The cluster has not been started.');
    return this.#primary;
  }

  get replicas(): readonly PostgresServer[] {
    return this.#servers.filter((server) => server !== this.#primary);
  }

  /** A libpq URL with all servers, from which clients choose the one that accepts writes. */
  get url(): string {
    return `postgres://postgres@${this.#servers.map(({ port }) => `127.0.0.1:${port}`).join()}/postgres`;
  }

  /** The URLs of all servers, separated by commas. The current primary is not used as a replica. */
  get replicaUrls(): string {
    return this.#servers.map((server) => server.url('postgres')).join();
  }

  /** Creates the primary and the replicas. @param ports the port of the primary, then of each replica. */
  async start([first, ...others]: readonly [number, ...number[]]): Promise<void> {
    const primary = await PostgresServer.create(this.#programs, this.#folderOf(0), first);
    this.#primary = primary;
    this.#servers.push(primary);
    for (const [index, port] of others.entries()) {
      this.#servers.push(await primary.replicate(this.#folderOf(index + 1), port));
    }
    for (const server of this.#servers) await this.#waitForOneReplica(server);
  }

  /**
   * Promotes the replica that has received the most, and points the others to it. It has every acknowledged commit, since at least
   * one replica had it and none has more than this one. Requires all replicas to be running.
   */
  async failOver(): Promise<PostgresServer> {
    const candidates = await Promise.all(
      this.replicas.map(async (server) => ({ server, received: await server.received() })),
    );
    const [best, ...others] = candidates.sort((a, b) => Number(b.received - a.received));
    if (!best) throw new Error('There is no replica to promote.');
    await best.server.promote();
    this.#primary = best.server;
    for (const { server } of others) await server.follow(best.server);
    return best.server;
  }

  /** Rebuilds a former primary as a replica. Changes that only it has are lost. */
  async rejoin(lost: PostgresServer): Promise<PostgresServer> {
    const index = this.#servers.indexOf(lost);
    await lost.stop('SIGKILL');
    await rm(this.#folderOf(index), { recursive: true, force: true });
    const replica = await this.primary.replicate(this.#folderOf(index), lost.port);
    this.#servers[index] = replica;
    await this.#waitForOneReplica(replica);
    return replica;
  }

  async stop(signal?: 'SIGKILL'): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.stop(signal)));
  }

  #folderOf(index: number): string {
    return join(this.#folder, `db${index + 1}`);
  }

  /**
   * Makes a server, while it is the primary, acknowledge a commit only when one other server has it. Replicas keep the setting
   * for their promotion.
   */
  async #waitForOneReplica(server: PostgresServer): Promise<void> {
    const others = this.#servers.filter((each) => each !== server).map(({ name }) => name);
    if (others.length > 0) await server.set('synchronous_standby_names', `ANY 1 (${others.join()})`);
  }
}
