import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
import { type Config, hasTlsFiles } from '../../config.ts';
import { certificatesIn, revocationsEnd, withoutRevocations } from '../../core/certificates.ts';
import { reasonOf } from '../../core/failure.ts';
import { DAY } from '../../core/limits.ts';
import { otherReadersOf } from './files.ts';
import { type Check, type Finding, findingsOf } from './finding.ts';

/** Milliseconds before its expiry by which a certificate should have been renewed: common tools do so a month before. */
const RENEWAL = 14 * DAY;

const finding = findingsOf('tls');

/** Checks the files of TLS: of a server that terminates it, and the authorities of certificates that a proxy passes on. */
export const checkTls: Check = async ({ config: { http }, now }) => {
  const { cert, key, ca, crl } = http.tls;
  if (!hasTlsFiles(http.tls)) return [];
  try {
    const files = {
      ...(cert && { cert: readFileSync(cert) }),
      ...(key && { key: readFileSync(key) }),
      ...(ca && { ca: readFileSync(ca) }),
      ...(crl && { crl: readFileSync(crl) }),
    };
    createSecureContext(files);
    return [
      ...(cert && files.cert ? [certificateOf(cert, new X509Certificate(files.cert), http, now())] : []),
      ...(key ? keyOf(key) : []),
      ...clientTrustOf(http.tls, files, now()),
    ];
  } catch (error) {
    return finding.problem(
      `${[cert, key, ca, crl].filter(Boolean).join(', ')} cannot be used: ${reasonOf(error)}`,
      'Give the user of the server read access, and use the key that belongs to the certificate.',
    );
  }
};

function certificateOf(
  file: string,
  certificate: X509Certificate,
  { publicUrl }: Config['http'],
  now: number,
): Finding {
  const left = certificate.validToDate.getTime() - now;
  const until = certificate.validToDate.toISOString().slice(0, 10);
  if (left < RENEWAL) {
    return finding[left < 0 ? 'problem' : 'warning'](
      `${file} ${left < 0 ? 'expired on' : 'expires on'} ${until}`,
      'Renew it: a running server reloads the new file automatically.',
    );
  }
  // IPv6 addresses in URLs have brackets.
  const host = new URL(publicUrl).hostname.replace(/^\[(.*)\]$/, '$1');
  const isFor = isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host);
  if (isFor === undefined) {
    return finding.warning(
      `${file} is not valid for ${host}, the host of PUBLIC_URL`,
      'Get one for this name: clients reject others. Behind a proxy with TLS it may be correct.',
    );
  }
  return finding.ok(`${file} is valid for ${host} until ${until}`);
}

/** Checks the authorities and revocation lists for client certificates. */
function clientTrustOf(
  paths: Config['http']['tls'],
  { ca, crl }: { readonly ca?: Buffer; readonly crl?: Buffer },
  now: number,
): readonly Finding[] {
  const findings: Finding[] = [];
  const expires = (path: string | undefined, at: Date, refused: string) => {
    if (at.getTime() > now) return;
    const found = `${path} expired on ${at.toISOString().slice(0, 10)}: ${refused}`;
    findings.push(finding.problem(found, 'Replace it: a running server reloads the new file automatically.'));
  };
  const authorities = ca ? certificatesIn(ca) : [];
  for (const { validToDate } of authorities)
    expires(paths.ca, validToDate, 'client certificates of this authority are refused');
  const end = crl && revocationsEnd(crl);
  if (end) expires(paths.crl, end, 'all client certificates of its authority are refused');
  for (const authority of crl ? withoutRevocations(authorities, crl) : []) {
    const found = `${paths.crl} has no list of the authority "${authority}": all client certificates below it are refused`;
    findings.push(finding.problem(found, 'Add its list, which may be empty: "openssl ca -gencrl".'));
  }
  return findings;
}

function keyOf(file: string): readonly Finding[] {
  const who = otherReadersOf(file);
  if (who === undefined) return [];
  const found = `${file} can be read by ${who.name}`;
  return [finding[who.severity](found, `Run "chmod 600 ${file}" as its owner.`)];
}
