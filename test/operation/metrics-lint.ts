/** Checks metrics with the rules of promtool's linter. */
import parse from 'parse-prometheus-text-format';
import { type Family, readMetrics } from '../support/metrics.ts';

/** Returns all values of a label in Portico's own metrics. */
export function labelValues(families: readonly Family[], label: string): string[] {
  const values = families
    .filter(({ name }) => name.startsWith('portico_'))
    .flatMap(({ samples }) => samples.flatMap(({ labels }) => labels[label] ?? []));
  return [...new Set(values)].sort();
}

/** Returns the problems that promtool's linter would report (Prometheus, "Metric and label naming"). */
export function problemsOf(text: string): string[] {
  const families = readMetrics(text);
  const readByOthers = new Set(parse(text).map(({ name }) => name));
  const problems = families.flatMap(problemsOfFamily);
  if (families.some(({ name }) => !readByOthers.has(name)))
    problems.push('another parser does not find all metrics');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const series = lines.map((line) => line.slice(0, line.lastIndexOf(' ')));
  const twice = series.filter((each, index) => series.indexOf(each) < index);
  return [...problems, ...twice.map((each) => `${each} is a duplicate`)];
}

/** Words in names for multiples and fractions of base units, and for abbreviated units. */
const OTHER_UNITS =
  /_(milliseconds|microseconds|nanoseconds|minutes|hours|days|weeks|kilobytes|megabytes|gigabytes|bits|percent|s|ms|us|ns|sec|b|kb|mb|gb)(_|$)/;

/** Labels that are reserved for the parts of histograms and summaries. */
const OF_PARTS: Readonly<Record<string, string>> = { le: 'histogram', quantile: 'summary' };

function problemsOfFamily({ name, help, type, samples }: Family): string[] {
  const labels = new Set(samples.flatMap((sample) => Object.keys(sample.labels)));
  const rules: readonly (readonly [boolean, string])[] = [
    [help === '', 'has no help text'],
    [type === 'counter' && !name.endsWith('_total'), 'is a counter and does not end in _total'],
    [type !== 'counter' && name.endsWith('_total'), 'ends in _total and is not a counter'],
    [/_(bucket|count|sum)$/.test(name), 'has a suffix of histograms'],
    [/_(counter|gauge|histogram|summary)(_|$)/.test(name), 'has its type in its name'],
    [OTHER_UNITS.test(name), 'is not in a base unit'],
    [!/^[a-z][a-z0-9_]*$/.test(name), 'is not in snake case'],
    ...[...labels].flatMap((label) => [
      [!/^[a-z][a-z0-9_]*$/.test(label), `has a label that is not in snake case: ${label}`] as const,
      [
        label in OF_PARTS && OF_PARTS[label] !== type,
        `has a label that is reserved for another type: ${label}`,
      ] as const,
    ]),
  ];
  return rules.filter(([holds]) => holds).map(([, problem]) => `${name} ${problem}`);
}
