/** Creates certificates of the small internet with openssl, at the first request for a name. */
import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createSecureContext, type SecureContext } from 'node:tls'
import { promisify } from 'node:util'
import type { CertificateKind } from './scenario.ts'

export type Authority = {
  /** The PEM file of the authority's certificate. */
  file: string
  issue(names: readonly string[], kind: CertificateKind): Promise<SecureContext>
}

const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
const validFrom = '20250101000000Z'
const ends = { valid: '20490101000000Z', expired: '20250201000000Z' }

export async function makeAuthority(directory: string): Promise<Authority> {
  const openssl = (...options: string[]) => promisify(execFile)('openssl', options, { cwd: directory })
  await writeFile(join(directory, 'request.cnf'), '[req]\ndistinguished_name = name\n[name]\n')
  const config = ['-config', 'request.cnf']
  const authority = ['-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=Small internet']
  await openssl('req', '-x509', ...curve, ...config, ...authority, '-addext', 'basicConstraints=CA:true')
  // All sites share one key.
  const site = ['-keyout', 'site.key', '-out', 'site.csr', '-subj', '/CN=site']
  await openssl('req', '-new', ...curve, ...config, ...site)
  const key = await readFile(join(directory, 'site.key'))
  let issued = 0
  return {
    file: join(directory, 'ca.pem'),
    async issue(names, kind) {
      issued += 1
      const folder = `issued-${issued}`
      await mkdir(join(directory, folder))
      await writeFile(join(directory, folder, 'index.txt'), '')
      await writeFile(join(directory, folder, 'ca.cnf'), issuing(folder, names))
      await openssl(
        ...['ca', '-batch', '-notext', '-config', `${folder}/ca.cnf`, '-in', 'site.csr'],
        ...['-out', `${folder}/site.pem`, '-subj', `/CN=${names[0]}`],
        ...(kind === 'self_signed'
          ? ['-selfsign', '-keyfile', 'site.key']
          : ['-cert', 'ca.pem', '-keyfile', 'ca.key']),
        ...['-startdate', validFrom, '-enddate', kind === 'expired' ? ends.expired : ends.valid],
      )
      // Chromium trusts the authority only if the server sends its certificate, too.
      const chain = await Promise.all(
        [join(folder, 'site.pem'), 'ca.pem'].map(file => readFile(join(directory, file), 'utf8')),
      )
      return createSecureContext({ key, cert: kind === 'self_signed' ? chain[0] : chain.join('') })
    },
  }
}

const issuing = (folder: string, names: readonly string[]) => `
[ca]
default_ca = issuer
[issuer]
database = ${folder}/index.txt
new_certs_dir = ${folder}
default_md = sha256
policy = policy
rand_serial = yes
x509_extensions = extensions
[policy]
commonName = supplied
[extensions]
basicConstraints = CA:false
subjectAltName = ${names.map(name => `DNS:${name}`).join(',')}
`
