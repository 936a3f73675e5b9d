import { relative, sep } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Folders whose tests start processes and wait for them, and files that do a lot. */
const LONG = [
  'test/faults/',
  'test/boot/',
  'test/operation/',
  'test/docs/',
  'test/browser/',
  'test/commands/',
  'test/e2e/',
  'test/structure/worked-example',
  'test/structure/openapi',
  'test/scenarios/tenancy',
  'test/scenarios/cost-property',
  'test/scenarios/access.',
  'test/scenarios/sign-in-',
];

/** What takes longest begins first, so that at the end no core waits for the other to finish one long file. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const [long, short] = [sorted.filter((file) => isLong(file)), sorted.filter((file) => !isLong(file))];
    return [...long, ...short];
  }
}

function isLong({ moduleId, project }: TestSpecification): boolean {
  const path = relative(project.config.root, moduleId).replaceAll(sep, '/');
  return LONG.some((long) => path.startsWith(long));
}
