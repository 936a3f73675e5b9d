import type { Command } from 'commander';
import type { Terminal } from './terminal.ts';

/** Adds the arguments, options and subcommands of a command, and what it does. */
type Declare = (command: Command, terminal: Terminal) => void;

interface CommandEntry {
  readonly description: string;
  readonly load: () => Promise<Declare>;
}

/** The commands by name, in the order of the help. Only the given one is loaded: all of them, with schema and server, take a second. */
export const COMMANDS: ReadonlyMap<string, CommandEntry> = new Map(
  Object.entries<CommandEntry>({
    serve: {
      description: 'Migrate and start the server. SIGTERM and SIGINT stop it.',
      load: async () => (await import('./serve.ts')).declareServe,
    },
    migrate: {
      description: 'Create the database or apply pending migrations.',
      load: async () => (await import('./database-commands.ts')).declareMigrate,
    },
    doctor: {
      description:
        'Check the settings and everything that a server with these settings depends on. Changes nothing.',
      load: async () => (await import('./doctor.ts')).declareDoctor,
    },
    healthcheck: {
      description: 'Check that the server with these settings on this machine can serve requests (/readyz).',
      load: async () => (await import('./healthcheck.ts')).declareHealthcheck,
    },
    backup: {
      description: 'Write the whole database to a file. Servers can keep running.',
      load: async () => (await import('./database-commands.ts')).declareBackup,
    },
    restore: {
      description: 'Restore a backup into an empty database.',
      load: async () => (await import('./database-commands.ts')).declareRestore,
    },
    seed: {
      description:
        'Add orders for measurements, never in production. A new database gets the demo data first.',
      load: async () => (await import('./seed.ts')).declareSeed,
    },
    org: {
      description: 'Manage organisations.',
      load: async () => (await import('./org.ts')).declareOrg,
    },
    user: {
      description: 'Manage people.',
      load: async () => (await import('./user.ts')).declareUser,
    },
    product: {
      description: 'Manage products.',
      load: async () => (await import('./product.ts')).declareProduct,
    },
    'api-key': {
      description: 'Manage API keys.',
      load: async () => (await import('./api-key.ts')).declareApiKey,
    },
    keys: {
      description: 'Manage the keys that sign access tokens.',
      load: async () => (await import('./keys.ts')).declareKeys,
    },
    webhook: {
      description: 'Manage webhooks.',
      load: async () => (await import('./webhook.ts')).declareWebhook,
    },
    listen: {
      description:
        'Follow the events of a server through its API, and forward them to a program on this machine.',
      load: async () => (await import('./listen.ts')).declareListen,
    },
    trigger: {
      description: 'Trigger events in development, through the same operations as clients.',
      load: async () => (await import('./trigger.ts')).declareTrigger,
    },
    openapi: {
      description: 'Write the OpenAPI 3.1 description of the REST routes as JSON.',
      load: async () => (await import('./api-description.ts')).declareOpenApi,
    },
    schema: {
      description: 'Write the GraphQL schema as SDL, for code generators and reviews.',
      load: async () => (await import('./api-description.ts')).declareSchema,
    },
  }),
);
