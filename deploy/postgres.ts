/**
 * PostgreSQL servers from Debian's packages, each in its own folder: a primary and streaming replicas, on 127.0.0.1. Their data
 * does not survive a power failure.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdir, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const PACKAGES = '/usr/lib/postgresql';

/** Milliseconds within which a server must accept connections. */
const START_TIMEOUT = 120_000;

/** Returns the folder of PostgreSQL's programs; undefined if Debian's package of the server is not installed. */
export async function findPostgres(): Promise<string | undefined> {
  const versions = await readdir(PACKAGES).catch((): string[] => []);
  return (
    versions
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join(PACKAGES, version, 'bin'))
      // The packages of clients use the same folder.
      .find((folder) => existsSync(join(folder, 'initdb')))
  );
}

/** The user to run PostgreSQL as. PostgreSQL refuses to run as root, so under root it is the user of the package. */
function account(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
  return { uid: idOf('-u'), gid: idOf('-g') };
}

export class PostgresServer {
  readonly port: number;
  readonly #programs: string;
  readonly #folder: string;
  readonly #settings: readonly string[];
  #process: ChildProcess | undefined;

  private constructor(programs: string, folder: string, port: number, settings: readonly string[]) {
    this.#programs = programs;
    this.#folder = folder;
    this.port = port;
    this.#settings = settings;
  }

  /**
   * Creates an empty server and starts it.
   *
   * @param folder the data folder, which this function creates.
   * @param settings further settings, such as `autovacuum=off`, which take precedence over those of `start`.
   */
  static async create(
    programs: string,
    folder: string,
    port: number,
    settings: readonly string[] = [],
  ): Promise<PostgresServer> {
    const server = new PostgresServer(programs, folder, port, settings);
    await server.#makeFolder();
    const text = ['--encoding=UTF8', '--locale=C.UTF-8'];
    const how = ['--auth=trust', '--username=postgres', '--no-sync', `--pgdata=${folder}`];
    await server.#run('initdb', [...text, ...how]);
    await server.start();
    return server;
  }

  /** Creates a streaming replica of this server and starts it. */
  async replicate(folder: string, port: number): Promise<PostgresServer> {
    const replica = new PostgresServer(this.#programs, folder, port, this.#settings);
    await replica.#makeFolder();
    const from = ['--host=127.0.0.1', `--port=${this.port}`, '--username=postgres'];
    const how = ['--write-recovery-conf', '--checkpoint=fast', '--no-sync', `--pgdata=${folder}`];
    await replica.#run('pg_basebackup', [...from, ...how]);
    await replica.start();
    return replica;
  }

  /** The name of this server in the cluster. */
  get name(): string {
    return basename(this.#folder);
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  get isRunning(): boolean {
    return this.#process?.exitCode === null && this.#process.signalCode === null;
  }

  url(database: string): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${database}`;
  }

  /** Starts the server. Resolves when it accepts connections. */
  async start(): Promise<void> {
    const settings = [
      'fsync=off',
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      'max_connections=200',
      `cluster_name=${this.name}`,
      // In the server's folder, since those of the system outlive a server that is killed.
      'dynamic_shared_memory_type=mmap',
      // Keeps enough of the log for a replica that was disconnected for minutes.
      'wal_keep_size=512MB',
      ...this.#settings,
    ];
    const child = spawn(
      join(this.#programs, 'postgres'),
      ['-D', this.#folder, '-p', String(this.port), ...settings.flatMap((setting) => ['-c', setting])],
      { ...account(), stdio: 'ignore' },
    );
    this.#process = child;
    const end = performance.now() + START_TIMEOUT;
    while (!(await this.#isReachable())) {
      if (!this.isRunning) throw new Error(`The PostgreSQL in ${this.#folder} ended while starting.`);
      if (performance.now() > end)
        throw new Error(`The PostgreSQL in ${this.#folder} did not start in time.`);
      await sleep(50);
    }
  }

  /** Sends a signal to all processes of the server. */
  signal(name: NodeJS.Signals): void {
    const parent = this.#process?.pid;
    if (parent === undefined) return;
    const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(parent)], { encoding: 'utf8' });
    const children = stdout.split('\n').flatMap((line) => (line.trim() === '' ? [] : [Number(line)]));
    // The parent first, so that it starts no new processes.
    for (const pid of [parent, ...children]) {
      try {
        process.kill(pid, name);
      } catch {
        // The process has already ended.
      }
    }
  }

  /** Stops the server: SIGINT for a clean shutdown, SIGKILL to simulate the loss of the machine. */
  async stop(signal: 'SIGINT' | 'SIGKILL' = 'SIGINT'): Promise<void> {
    const child = this.#process;
    if (!child || !this.isRunning) return;
    const ended = once(child, 'exit');
    if (signal === 'SIGKILL') this.signal(signal);
    else child.kill(signal);
    await ended;
  }

  /** Promotes a replica to the primary. */
  async promote(): Promise<void> {
    await this.query('select pg_promote(true, 30)');
  }

  /** Changes a setting permanently. @param value a value without quotes. */
  async set(setting: string, value: string): Promise<void> {
    await this.query(`alter system set ${setting} = '${value}'`);
    await this.query('select pg_reload_conf()');
  }

  /** Makes a replica follow another primary. */
  async follow(primary: PostgresServer): Promise<void> {
    await this.set('primary_conninfo', `host=127.0.0.1 port=${primary.port} user=postgres`);
  }

  /** Whether the server is running and is not a replica. */
  async takesWrites(): Promise<boolean> {
    const rows = await this.query('select where not pg_is_in_recovery()').catch(() => []);
    return rows.length > 0;
  }

  /** The position in the write-ahead log that a replica has received, in bytes. */
  async received(): Promise<bigint> {
    const [row] = await this.query<{ received: string }>(
      `select greatest(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()) - '0/0' as received`,
    );
    return BigInt(row?.received ?? 0);
  }

  async query<Row extends pg.QueryResultRow>(sql: string, database = 'postgres'): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.url(database) });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<Row>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  #isReachable(): Promise<boolean> {
    return this.query('select 1').then(
      () => true,
      () => false,
    );
  }

  async #makeFolder(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const { uid, gid } = account();
    if (uid !== undefined && gid !== undefined) await chown(this.#folder, uid, gid);
  }

  async #run(program: string, args: readonly string[]): Promise<void> {
    const child = spawn(join(this.#programs, program), args, {
      ...account(),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let output = '';
    child.stderr?.on('data', (bytes: Buffer) => {
      output += bytes.toString();
    });
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`${program} failed: ${output}`);
  }
}
