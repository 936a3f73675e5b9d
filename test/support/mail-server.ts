/** A local mail server whose responses a test controls. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** The raw headers and body. */
  readonly source: string;
}

export interface TestMailServer {
  readonly url: string;
  readonly received: readonly ReceivedMail[];
  /** The reply code with which recipients are refused; undefined accepts them. */
  refuseRecipients: number | undefined;
  /** The reply code with which messages are refused; undefined accepts them. */
  refuseMessages: number | undefined;
  close(): Promise<void>;
}

const refusal = (status: number) => Object.assign(new Error('not here'), { responseCode: status });

/** @param port the port to listen on; by default a free one. */
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
  // A server that listens on a TCP port has an address of this type.
  const { port: bound } = server.server.address() as AddressInfo;
  return Object.assign(state, {
    url: `smtp://127.0.0.1:${bound}`,
    received,
    close: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  });
}

/** A server that accepts connections and sends nothing. */
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

/** Returns the token of the link in a message, in plain text or quoted-printable encoding. */
export function tokenIn(source: string): string {
  const found = /plt_[\w-]{43}/.exec(source.replaceAll(/=\r?\n/g, ''))?.[0];
  if (found === undefined) throw new Error(`There is no link in ${source}`);
  return found;
}
