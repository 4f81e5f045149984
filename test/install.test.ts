import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

type Entry = { engines?: object; dev?: boolean; devOptional?: boolean }

const at = (path: string) => new URL(`../${path}`, import.meta.url)

function packagesOf(lockfile: string): [path: string, entry: Entry][] {
  const { packages } = JSON.parse(readFileSync(at(lockfile), 'utf8')) as { packages: Record<string, Entry> }
  return Object.entries(packages).filter(([path]) => path !== '')
}

describe('an installation', () => {
  // Otherwise npm on Node 20 would warn of packages that run under the Node 24 of the dependencies.
  test.each(['package-lock.json', 'test/clients/package-lock.json'])(
    'the lockfile %s does not compare packages with the Node that runs npm',
    lockfile => {
      const compared = packagesOf(lockfile).filter(([, { engines }]) => engines !== undefined)
      expect(compared.map(([path]) => `${path}: run node scripts/mend-lockfile.ts`)).toEqual([])
    },
  )

  // With `--omit=dev` npm still installs a tool that is also an optional peer of a dependency.
  test('an installation without development dependencies has no development tool', () => {
    const packages = packagesOf('package-lock.json')
    expect(packages.filter(([, { devOptional }]) => devOptional === true)).toEqual([])
    const compilers = packages.filter(([path]) => /^node_modules\/(typescript|vitest|knip)/.test(path))
    expect(compilers.map(([path, { dev }]) => [path, dev])).toEqual(compilers.map(([path]) => [path, true]))
  })
})

test('an older Node is refused with the version that is needed', () => {
  const older =
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '22.12.0' } })"
  const { status, stderr } = spawnSync(
    process.execPath,
    [
      `--import=data:text/javascript,${encodeURIComponent(older)}`,
      `--import=${at('src/main/compile-cache.js').href}`,
      fileURLToPath(at('src/main/cli.ts')),
      '--help',
    ],
    { encoding: 'utf8', timeout: 30_000 },
  )
  expect([status, stderr.trim()]).toEqual([1, 'Baize needs Node 24 or later; this is 22.12.0.'])
})
