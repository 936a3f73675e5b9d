/** What `/metrics` says, read strictly, and looked at as promtool's linter does. */
import parse from 'parse-prometheus-text-format';

export type Labels = Readonly<Record<string, string>>;

/** One number of the answer, with its labels. */
export interface Sample {
  readonly name: string;
  readonly labels: Labels;
  readonly value: number;
}

export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly samples: readonly Sample[];
}

/** A line such as `name{label="value",other="x"} 1`. */
const SAMPLE = /^([a-z_][a-z0-9_]*)(?:\{(.*)\})? (\S+)$/i;
const LABEL = /([a-z_][a-z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/gi;

/**
 * Reads the text format, version 0.0.4.
 *
 * @throws an Error for a line that is not of the format, or a sample that no `# TYPE` announced.
 */
export function readMetrics(text: string): Family[] {
  const families: { name: string; help: string; type: string; samples: Sample[] }[] = [];
  let help = '';
  for (const line of text.split('\n')) {
    const [, keyword, name, rest] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (keyword === 'HELP') help = rest ?? '';
    else if (keyword === 'TYPE') families.push({ name: name ?? '', help, type: rest ?? '', samples: [] });
    else if (line !== '') addSample(families.at(-1), line);
  }
  return families;
}

function addSample(family: { name: string; samples: Sample[] } | undefined, line: string): void {
  const [, name = '', labels = '', value = ''] = SAMPLE.exec(line) ?? [];
  if (!family || !new RegExp(`^${family.name}(_bucket|_sum|_count)?$`).test(name)) {
    throw new Error(`Not announced, or not of the format: ${line}`);
  }
  if (labels.replace(LABEL, '') !== '') throw new Error(`These are no labels: ${line}`);
  const pairs = [...labels.matchAll(LABEL)].map(([, label = '', of = '']) => [label, of] as const);
  family.samples.push({ name, labels: Object.fromEntries(pairs), value: Number(value) });
}

/** The sum of the samples of this name whose labels are these, among others. */
export function sumOf(families: readonly Family[], name: string, labels: Labels = {}): number {
  return families
    .flatMap(({ samples }) => samples)
    .filter((sample) => sample.name === name)
    .filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
    .reduce((sum, { value }) => sum + value, 0);
}

/** Every value that a label has anywhere among our own metrics. */
export function labelValues(families: readonly Family[], label: string): string[] {
  const values = families
    .filter(({ name }) => name.startsWith('portico_'))
    .flatMap(({ samples }) => samples.flatMap(({ labels }) => labels[label] ?? []));
  return [...new Set(values)].sort();
}

/** What promtool's linter would say (Prometheus, "Metric and label naming"), in sentences. */
export function problemsOf(text: string): string[] {
  const families = readMetrics(text);
  const readByOthers = new Set(parse(text).map(({ name }) => name));
  const problems = families.flatMap(problemsOfFamily);
  if (families.some(({ name }) => !readByOthers.has(name))) problems.push('another parser reads less');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const series = lines.map((line) => line.slice(0, line.lastIndexOf(' ')));
  const twice = series.filter((each, index) => series.indexOf(each) < index);
  return [...problems, ...twice.map((each) => `${each} is there twice`)];
}

/** Words of names for what is a multiple or a part of a base unit, or a base unit in short. */
const OTHER_UNITS =
  /_(milliseconds|microseconds|nanoseconds|minutes|hours|days|weeks|kilobytes|megabytes|gigabytes|bits|percent|s|ms|us|ns|sec|b|kb|mb|gb)(_|$)/;

/** Labels that the parts of histograms and summaries have, and nothing else. */
const OF_PARTS: Readonly<Record<string, string>> = { le: 'histogram', quantile: 'summary' };

function problemsOfFamily({ name, help, type, samples }: Family): string[] {
  const labels = new Set(samples.flatMap((sample) => Object.keys(sample.labels)));
  const rules: readonly (readonly [boolean, string])[] = [
    [help === '', 'says nothing of itself'],
    [type === 'counter' && !name.endsWith('_total'), 'counts, and does not end in _total'],
    [type !== 'counter' && name.endsWith('_total'), 'ends in _total, and does not count'],
    [/_(bucket|count|sum)$/.test(name), 'looks like a part of a histogram'],
    [/_(counter|gauge|histogram|summary)(_|$)/.test(name), 'has its type in its name'],
    [OTHER_UNITS.test(name), 'is not in a base unit'],
    [!/^[a-z][a-z0-9_]*$/.test(name), 'is not in snake case'],
    ...[...labels].flatMap((label) => [
      [!/^[a-z][a-z0-9_]*$/.test(label), `has a label that is not in snake case: ${label}`] as const,
      [label in OF_PARTS && OF_PARTS[label] !== type, `has a label of another type: ${label}`] as const,
    ]),
  ];
  return rules.filter(([holds]) => holds).map(([, problem]) => `${name} ${problem}`);
}
