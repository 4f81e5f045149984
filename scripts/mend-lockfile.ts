// node scripts/mend-lockfile.ts   after a change of dependencies
//
// npm leaves optional packages of other platforms out of the lockfile when the registry at hand does not carry them, and
// `npm ci` then refuses that lockfile as incomplete. This names them in it, by the platform that their names say.
import { readFileSync, writeFileSync } from 'node:fs'

type Entry = { version?: string; optional?: boolean; optionalDependencies?: Record<string, string> } & Record<
  string,
  unknown
>

const file = new URL('../package-lock.json', import.meta.url)
const lock = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, Entry> }
const platform = /(android|darwin|freebsd|linux|openharmony|wasm32|win32|windows)-?([a-z0-9]*)-?(musl|gnu)?/

for (const entry of Object.values({ ...lock.packages })) {
  for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
    const path = `node_modules/${name}`
    const [, os, cpu, libc] = platform.exec(name.split('/').at(-1) ?? '') ?? []
    if (lock.packages[path] !== undefined || os === undefined || cpu === undefined) continue
    lock.packages[path] = {
      version: range.replace(/^[\^~]/, ''),
      cpu: [cpu],
      ...(entry.dev === true ? { dev: true } : {}),
      optional: true,
      os: [os],
      ...(libc === 'musl' ? { libc: ['musl'] } : {}),
    }
    console.log(`named ${path}`)
  }
}
const sorted = Object.fromEntries(
  Object.entries(lock.packages).sort(([one], [other]) => (one < other ? -1 : 1)),
)
writeFileSync(file, `${JSON.stringify({ ...lock, packages: sorted }, null, 2)}\n`)
