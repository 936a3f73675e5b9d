/** The files in `deploy/` match the server: its settings, paths and metrics. */
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as apps from 'kubernetes-models/apps/v1';
import * as autoscaling from 'kubernetes-models/autoscaling/v2';
import * as policy from 'kubernetes-models/policy/v1';
import * as core from 'kubernetes-models/v1';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { manageServers, ROOT } from '../support/process.ts';

const servers = manageServers();
const read = (file: string) => readFile(join(ROOT, 'deploy', file), 'utf8');

interface Panel {
  readonly title: string;
  readonly targets: readonly { readonly expr: string }[];
}

/** Names of metrics in a query: functions precede a bracket, and labels are within braces or `by (…)`. */
function metricsIn(expr: string): string[] {
  const bare = expr.replace(/by \([^)]*\)/g, '').replace(/\{[^}]*\}/g, '');
  return [...bare.matchAll(/\b(?:portico|nodejs|process)_\w+/g)].map(([name]) => name);
}

/** The suggested alerts of the guide: their names and expressions. */
async function alerts(): Promise<readonly (readonly [string, string])[]> {
  const guide = await readFile(join(ROOT, 'docs/operation.md'), 'utf8');
  const [, table = ''] = /^Suggested alerts:\n\n(.*?)\n\n/ms.exec(guide) ?? [];
  return [...table.matchAll(/^\| ([\w ]+) \| `(.*)`/gm)].map(([, name = '', expr = '']) => [name, expr]);
}

test('each panel of the dashboard and each alert of the guide uses existing metrics', async () => {
  const { url } = await servers.start();
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const known = new Set([...metrics.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name]) => name));
  const { panels } = JSON.parse(await read('grafana.json')) as { readonly panels: readonly Panel[] };
  expect(panels.length).toBeGreaterThan(10);
  for (const { title, targets } of panels) {
    const wanted = targets.flatMap(({ expr }) => metricsIn(expr));
    expect(wanted.length, title).toBeGreaterThan(0);
    for (const name of wanted) expect(known, title).toContain(name.replace(/_bucket$/, ''));
  }
  const suggested = await alerts();
  expect(suggested.length).toBeGreaterThan(5);
  for (const [name, expr] of suggested) {
    expect(metricsIn(expr).length, name).toBeGreaterThan(0);
    for (const metric of metricsIn(expr)) expect(known, name).toContain(metric.replace(/_bucket$/, ''));
  }
});

describe('the manifest for Kubernetes', async () => {
  const documents = parseAllDocuments(await read('kubernetes.yaml'), { merge: true });
  const byKind = new Map(documents.map((each) => [each.get('kind'), each.toJS()]));

  test('supports rollouts and autoscaling', () => {
    expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
    expect([...byKind.keys()]).toEqual([
      'ConfigMap',
      'Deployment',
      'Service',
      'PodDisruptionBudget',
      'HorizontalPodAutoscaler',
    ]);
  });

  /** Kubernetes' own models of its objects, by API. */
  const apis: Readonly<Record<string, object>> = {
    v1: core,
    'apps/v1': apps,
    'policy/v1': policy,
    'autoscaling/v2': autoscaling,
  };

  /** @throws Error with the parts that do not match the schema of the API server. */
  function validate(object: { readonly apiVersion: string; readonly kind: string }): void {
    // Each is a class of this shape.
    const models = apis[object.apiVersion] as Record<string, new (data: object) => { validate(): void }>;
    const Model = models[object.kind];
    if (!Model) throw new Error(`${object.apiVersion} has no ${object.kind}.`);
    new Model(object).validate();
  }

  test.each(documents.map((each) => each.toJS()))(
    'has a $kind that is valid against its schema',
    (object) => {
      expect(() => validate(object)).not.toThrow();
      expect(() => validate({ ...object, metadata: { ...object.metadata, labels: ['wrong'] } })).toThrow(
        /labels/,
      );
    },
  );

  test('uses documented settings', async () => {
    const documented = await readFile(join(ROOT, 'docs/configuration.md'), 'utf8');
    const [container] = byKind.get('Deployment').spec.template.spec.containers;
    const names = [
      ...Object.keys(byKind.get('ConfigMap').data),
      ...container.env.map(({ name }: { readonly name: string }) => name),
    ];
    for (const name of names) expect(documented).toContain(`| \`${name}\` |`);
  });

  test("gives a pod at least the server's own time to stop", () => {
    const { terminationGracePeriodSeconds } = byKind.get('Deployment').spec.template.spec;
    expect(terminationGracePeriodSeconds).toBeGreaterThan(10);
  });
});

test('the configuration is valid for HAProxy', async ({ skip }) => {
  const program = '/usr/sbin/haproxy';
  skip(spawnSync(program, ['-v']).status !== 0, 'HAProxy is not installed');
  // Names of servers are resolved at run time, and do not exist here.
  const configuration = (await read('haproxy.cfg')).replace(/ (db\d):5432/g, ' 127.0.0.1:5432');
  const file = join(await servers.directory(), 'haproxy.cfg');
  await writeFile(file, configuration);
  const { status, stderr } = spawnSync(program, ['-c', '-f', file], { encoding: 'utf8' });
  expect({ status, stderr }).toMatchObject({ status: 0 });
});

test('the unit is valid for systemd', async ({ skip }) => {
  skip(spawnSync('systemd-analyze', ['--version']).status !== 0, 'systemd-analyze is not installed');
  const { stdout, stderr } = spawnSync('systemd-analyze', ['verify', join(ROOT, 'deploy/portico.service')], {
    encoding: 'utf8',
  });
  const aboutPaths = /is not executable|Failed to (load|prepare)|Command .* not|No such file/;
  const problems = `${stdout}${stderr}`
    .split('\n')
    .filter((line) => line.includes('portico.service') && !aboutPaths.test(line));
  expect(problems).toEqual([]);
});
