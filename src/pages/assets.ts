import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export type Asset = { path: string; type: string; bytes: Buffer }

/** Declares one or more joined files. The path has a hash of the bytes, so that browsers may cache them for ever. */
function asset(name: string, file: string | string[], type: string): Asset {
  const bytes = Buffer.concat([file].flat().map(each => readFileSync(fileURLToPath(each))))
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 12)
  return { path: `/assets/${hash}/${name}`, type, bytes }
}

const own = (name: string) => import.meta.resolve(`./assets/${name}`)
const script = 'text/javascript; charset=utf-8'

/** The path is relative to the modules, because the package does not export the file for browsers. */
const webauthn = new URL('../dist/bundle/index.umd.min.js', import.meta.resolve('@simplewebauthn/browser'))
  .href

export const assets = {
  style: asset('style.css', own('style.css'), 'text/css; charset=utf-8'),
  icon: asset('icon.svg', own('icon.svg'), 'image/svg+xml'),
  picture: asset('open-graph.png', own('open-graph.png'), 'image/png'),
  script: asset('script.js', own('script.js'), script),
  passkeys: asset('passkeys.js', own('passkeys.js'), script),
  verify: asset('verify.js', [own('verify-receipt.js'), own('verify.js')], script),
  webauthn: asset('webauthn.js', webauthn, script),
  htmx: asset('htmx.js', import.meta.resolve('htmx.org/dist/htmx.min.js'), script),
} as const
