// node scripts/mend-lockfile.ts   run after a change of dependencies. npm omits optional packages of other
// platforms from the lockfile when the registry lacks them, and `npm ci` then rejects it as incomplete.
// This adds their entries, with the platform of their names.
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
    console.log(`added ${path}`)
  }
}
const sorted = Object.fromEntries(
  Object.entries(lock.packages).sort(([one], [other]) => (one < other ? -1 : 1)),
)
writeFileSync(file, `${JSON.stringify({ ...lock, packages: sorted }, null, 2)}\n`)
