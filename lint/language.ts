/**
 * `npm run lint`: checks all files that git does not ignore for words that are not plain technical English, and suggests a replacement for each.
 * A file that must quote such words contains `language: quotes`, as this one does.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';

const QUOTES = 'language: quotes';

/** Patterns and their replacements. */
const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/\breckon\w*/i, 'estimate, price, assume'],
  [/\bwhoever\b/i, 'callers that, the person who'],
  [/\bnobody\b/i, 'no client, no caller'],
  [/\b(is|are|was|were|be|been|being) told\b/i, 'gets, receives, is notified'],
  [/\btold (apart|so|of|when|how|what)\b/i, 'distinguished, notified, called with'],
  [/\btells\b/i, 'reports, shows, distinguishes'],
  [/\b(the|no) head of (an?|the) (answer|response|stream)/i, 'response headers'],
  [/\b(is|are|was|were) owed\b/i, 'pending'],
  [/\bof no use any more\b/i, 'revoked, expired, invalid'],
  [/\bstand so\b/i, 'have this status'],
  [/\bIs it well\b/i, 'Health checks'],
  [/\bsomebody who is known\b/i, 'an authenticated caller'],
  [/\b(way there|ways? to go it)\b/i, 'the new URL'],
  [/\b[Uu]nderWay\b|\bunder-way\b/, 'PendingWork'],
  [/\bEnding\b/, 'AbortSignalLike'],
  [/\bSpending\b|\.spending\b/, 'RequestCost'],
  [/\bEmission\b/, 'StreamMessage'],
  [/\bKnower\b/, 'DocumentReader'],
  [/\btellLimit\b/, 'rateLimitHeaders'],
  [/\bboundClosing\b/, 'closeGracefully'],
  [/\bsteady\(/, 'stableParams'],
  [/\bmoment(\(|: \()/, 'timestamp'],
  [/\bpartOfOne\b/, 'ratio'],
  [/\bannounce\(/, 'recordEvent, notifyLogGrowth, setDeprecationHeaders'],
];

const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
  maxBuffer: 1 << 24,
});
const files = listed.split('\0').filter((file) => isFile(file) && !file.endsWith('package-lock.json'));
const faults = files.flatMap(faultsIn);
for (const fault of faults) process.stdout.write(`${fault}\n`);
process.stdout.write(`${faults.length} listed words in ${files.length} files.\n`);
process.exitCode = faults.length === 0 ? 0 : 1;

/** Whether a listed path is a file: one that was removed is listed until that is staged, and a link may lead to a folder. */
function isFile(path: string): boolean {
  return path !== '' && statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function faultsIn(file: string): readonly string[] {
  const text = readFileSync(file, 'utf8');
  if (text.includes(QUOTES) || text.includes('\0')) return [];
  return text.split('\n').flatMap((line, index) =>
    REPLACEMENTS.flatMap(([pattern, instead]) => {
      const found = pattern.exec(line)?.[0];
      return found === undefined ? [] : `${file}:${index + 1} "${found}": write ${instead}.`;
    }),
  );
}
