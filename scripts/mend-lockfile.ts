// Mends package-lock.json after a change of dependencies: `node scripts/mend-lockfile.ts`.
// - npm omits optional packages of other platforms if the registry lacks them, and `npm ci` then rejects the
//   lockfile as incomplete. This script adds their entries, with the platform of their names.
// - npm compares `engines` with its own Node, which may be 20, and leaves out optional packages that do not
//   fit. The packages run under the Node 24 of the dependencies, so this script deletes their `engines`.
// - pdfjs-dist draws pages with a native library of 35 MB. Only texts are read, so this script deletes it.
import { readFileSync, writeFileSync } from 'node:fs'

type Entry = { version?: string; optional?: boolean; optionalDependencies?: Record<string, string> } & Record<
  string,
  unknown
>

const platform = /(android|darwin|freebsd|linux|openharmony|wasm32|win32|windows)-?([a-z0-9]*)-?(musl|gnu)?/

const unused = '@napi-rs/canvas'

for (const path of ['../package-lock.json', '../test/clients/package-lock.json'])
  mend(new URL(path, import.meta.url))

function mend(file: URL): void {
  const lock = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, Entry> }
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (path.startsWith(`node_modules/${unused}`)) delete lock.packages[path]
    else if (entry.optionalDependencies?.[unused] !== undefined) delete entry.optionalDependencies
  }
  addPlatforms(lock.packages)
  for (const [path, entry] of Object.entries(lock.packages)) if (path !== '') delete entry.engines
  const sorted = Object.fromEntries(
    Object.entries(lock.packages).sort(([one], [other]) => (one < other ? -1 : 1)),
  )
  writeFileSync(file, `${JSON.stringify({ ...lock, packages: sorted }, null, 2)}\n`)
}

function addPlatforms(packages: Record<string, Entry>): void {
  for (const entry of Object.values({ ...packages })) {
    for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
      const path = `node_modules/${name}`
      const [, os, cpu, libc] = platform.exec(name.split('/').at(-1) ?? '') ?? []
      if (packages[path] !== undefined || os === undefined || cpu === undefined) continue
      packages[path] = {
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
}
