/** Joins the metrics of several processes in the text format of Prometheus (exposition formats, text-based format). */

/** A metric: its HELP and TYPE lines, and its samples. */
interface Family {
  readonly head: string[];
  readonly samples: string[];
}

/** Joins the metrics of several processes. Each sample gets a label with the key of its process. */
export function withLabel(label: string, texts: ReadonlyMap<string | number, string>): string {
  const families = new Map<string, Family>();
  for (const [key, text] of texts) {
    let current: Family | undefined;
    for (const line of text.split('\n')) {
      if (line.startsWith('# HELP ')) {
        const name = line.split(' ', 3)[2] ?? '';
        current = families.get(name) ?? { head: [line], samples: [] };
        if (!families.has(name)) families.set(name, current);
        continue;
      }
      if (line === '' || !current) continue;
      if (!line.startsWith('#')) current.samples.push(labelled(line, `${label}="${key}"`));
      else if (!current.head.includes(line)) current.head.push(line);
    }
  }
  return [...families.values()].flatMap(({ head, samples }) => [...head, ...samples, '']).join('\n');
}

/** Adds a label to a sample such as `name{a="b"} 1` or `name 1`. */
function labelled(sample: string, label: string): string {
  const [, name = '', labels, rest = ''] = /^([\w:]+)(?:\{(.*)\})?( .*)$/s.exec(sample) ?? [];
  return `${name}{${labels ? `${labels},` : ''}${label}}${rest}`;
}
