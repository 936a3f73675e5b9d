/** A mail server of this machine, which does with messages what a test says. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body, as they were sent. */
  readonly source: string;
}

export interface TestMailServer {
  readonly url: string;
  readonly received: readonly ReceivedMail[];
  /** The status that recipients are answered with; undefined takes them. */
  refuseRecipients: number | undefined;
  /** The status that messages are answered with; undefined takes them. */
  refuseMessages: number | undefined;
  close(): Promise<void>;
}

const refusal = (status: number) => Object.assign(new Error('not here'), { responseCode: status });

/** @param port where it listens; a free one when left out. */
export async function startMailServer(port = 0): Promise<TestMailServer> {
  const received: ReceivedMail[] = [];
  const state: Pick<TestMailServer, 'refuseRecipients' | 'refuseMessages'> = {
    refuseRecipients: undefined,
    refuseMessages: undefined,
  };
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo: (_address, _session, answer) =>
      answer(state.refuseRecipients === undefined ? undefined : refusal(state.refuseRecipients)),
    onData(stream, { envelope }, answer) {
      void text(stream).then((source) => {
        if (state.refuseMessages !== undefined) return answer(refusal(state.refuseMessages));
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        received.push({ from, to: envelope.rcptTo.map(({ address }) => address), source });
        return answer();
      });
    },
  });
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  // It listens on a port.
  const { port: bound } = server.server.address() as AddressInfo;
  return Object.assign(state, {
    url: `smtp://127.0.0.1:${bound}`,
    received,
    close: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  });
}

/** A server that takes connections and says nothing. */
export async function startSilentServer(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The token of the link in a message, as it was written or as quoted-printable has it. */
export function tokenIn(source: string): string {
  const found = /plt_[\w-]{43}/.exec(source.replaceAll(/=\r?\n/g, ''))?.[0];
  if (found === undefined) throw new Error(`There is no link in ${source}`);
  return found;
}
