/** Parses the response of `/metrics` strictly. */

type Labels = Readonly<Record<string, string>>;

/** One sample with its labels. */
interface Sample {
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
/** What the samples of a histogram or a summary add to its name. */
const SUFFIX = /^(_bucket|_sum|_count)?$/;
const LABEL = /([a-z_][a-z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/gi;

/**
 * Reads the text format, version 0.0.4.
 *
 * @throws Error for a malformed line, or for a sample without a preceding `# TYPE`.
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
  if (!family || !name.startsWith(family.name) || !SUFFIX.test(name.slice(family.name.length))) {
    throw new Error(`Malformed line, or no TYPE before it: ${line}`);
  }
  if (labels.replace(LABEL, '') !== '') throw new Error(`Malformed labels: ${line}`);
  const pairs = [...labels.matchAll(LABEL)].map(([, label = '', of = '']) => [label, of] as const);
  family.samples.push({ name, labels: Object.fromEntries(pairs), value: Number(value) });
}

/** Returns the sum of the samples with this name whose labels include these. */
export function sumOf(families: readonly Family[], name: string, labels: Labels = {}): number {
  return families
    .flatMap(({ samples }) => samples)
    .filter((sample) => sample.name === name)
    .filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
    .reduce((sum, { value }) => sum + value, 0);
}
