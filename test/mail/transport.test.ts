/** Sending mail over SMTP: the sent messages, and faulty mail servers. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MessageRefused, openMailServer } from '../../src/mail/transport.ts';
import { startMailServer, startSilentServer, type TestMailServer } from '../support/mail-server.ts';

const MESSAGE = {
  to: 'nia@acme.test',
  subject: 'Set a new password',
  text: 'https://portico.test/#plt_secret\n',
};
/** Nothing ends the attempts. */
const NEVER = new AbortController().signal;
const FROM = 'Portico <no-reply@portico.test>';

describe('a mail server', () => {
  let server: TestMailServer;

  beforeEach(async () => {
    server = await startMailServer();
  });
  afterEach(() => server.close());

  const send = async (message = MESSAGE, timeout = 10_000) =>
    openMailServer({ url: server.url, from: FROM, timeout })(message, NEVER);

  test('receives the message for one recipient', async () => {
    await send();
    expect(server.received).toHaveLength(1);
    const [mail] = server.received;
    expect(mail).toMatchObject({ from: 'no-reply@portico.test', to: ['nia@acme.test'] });
    expect(mail?.source).toMatch(/^Subject: Set a new password\r?$/m);
    expect(mail?.source).toContain('https://portico.test/#plt_secret');
  });

  test.each([
    { given: 'an address that looks like several', to: 'a@b.test,evil@c.test'.replace('evil@c', 'evil.c') },
    { given: 'an address with brackets', to: '<a@b.test>' },
    { given: 'a subject with a line break', subject: 'Join\r\nBcc: evil@c.test' },
  ])('$given reaches no other recipient', async ({ given: _, ...changes }) => {
    await send({ ...MESSAGE, ...changes }).catch((error: unknown) => expect(error).toBeInstanceOf(Error));
    for (const { to, source } of server.received) {
      expect(to).toHaveLength(1);
      expect(source).not.toMatch(/^bcc:/im);
    }
  });

  test.each([550, 553])('that refuses the recipient with %i causes a permanent error', async (status) => {
    server.refuseRecipients = status;
    await expect(send()).rejects.toBeInstanceOf(MessageRefused);
  });

  test('that refuses the message with 554 causes a permanent error', async () => {
    server.refuseMessages = 554;
    await expect(send()).rejects.toBeInstanceOf(MessageRefused);
  });

  test.each(['refuseRecipients', 'refuseMessages'] as const)(
    'that returns 451 (%s) causes a temporary error',
    async (name) => {
      server[name] = 451;
      const error = await send().catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(Error);
      expect(error).not.toBeInstanceOf(MessageRefused);
    },
  );

  test('is not named in any error', async () => {
    server.refuseRecipients = 550;
    const error = await send().catch((reason: unknown) => reason);
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toMatch(/nia@|plt_|not here/);
  });
});

test('an unreachable mail server is a temporary error', async () => {
  const server = await startMailServer();
  await server.close();
  const send = openMailServer({ url: server.url, from: FROM });
  const error = await send(MESSAGE, NEVER).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Error);
  expect(error).not.toBeInstanceOf(MessageRefused);
});

test('a silent mail server times out', async () => {
  const server = await startSilentServer();
  const send = openMailServer({ url: server.url, from: FROM, timeout: 200 });
  const begun = performance.now();
  await expect(send(MESSAGE, NEVER)).rejects.toThrow(/mail server/);
  expect(performance.now() - begun).toBeLessThan(10_000);
  await server.close();
});

test('an attempt is ended by its signal', async () => {
  const server = await startSilentServer();
  const send = openMailServer({ url: server.url, from: FROM });
  const stopping = new AbortController();
  const attempt = send(MESSAGE, stopping.signal);
  stopping.abort();
  const error = await attempt.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Error);
  expect(error).not.toBeInstanceOf(MessageRefused);
  await server.close();
});
