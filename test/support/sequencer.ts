import { relative, sep } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Folders whose tests start processes and wait for them. */
const LONG = ['faults', 'boot', 'operation', 'docs', 'browser', 'commands', 'e2e'];

/** What takes longest begins first, so that at the end no core waits for the other to finish one long file. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const [long, short] = [sorted.filter((file) => isLong(file)), sorted.filter((file) => !isLong(file))];
    return [...long, ...short];
  }
}

function isLong({ moduleId, project }: TestSpecification): boolean {
  const [, folder = ''] = relative(project.config.root, moduleId).split(sep);
  return LONG.includes(folder);
}
