import { spawnSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTestDirectory } from './harness/directory.ts'

const scripts = join(import.meta.dirname, '../scripts')

function run(script: string, directory: string) {
  const { status, stdout } = spawnSync(process.execPath, [join(scripts, script), directory])
  const failed = String(stdout).matchAll(/FAILED: (.+)/g)
  return { status, failed: [...failed].map(([, expectation]) => expectation) }
}

test.each(['journey.ts', 'search-quality.ts'])('%s ends with 1 without the named files', script => {
  expect(run(script, '/nonexistent').status).toBe(1)
})

test('the journey ends with 1, and names each expectation that its files do not meet', async () => {
  const directory = await createTestDirectory()
  const sites = Array.from({ length: 40 }, (_, at) => `otter-${at}.es\n`)
  const files = {
    'netherlands/ksa_kansspelwijzer_domains_2026-05-20.txt': '<!doctype html><title>503</title>',
    'spain/dgoj_operator_domains_2026-08-13.txt': sites.join(''),
  }
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(directory.path, name, '..'), { recursive: true })
    await writeFile(join(directory.path, name), content)
  }
  const { status, failed } = run('journey.ts', directory.path)
  expect(status).toBe(1)
  expect(failed).toEqual(
    expect.arrayContaining([
      'netherlands.sites 2026-05-20 is applied as a baseline',
      'there are files for this part',
      'netherlands.sites 2026-05-21, read before, is unchanged',
      'bet365.com is mixed',
      'each of the stored names is found',
      'a domain has exactly one licensed operator',
    ]),
  )
  expect(failed.join()).not.toContain('spain.sites')
  await directory.remove()
})

test('search-quality ends with 1 if no query of a kind could be made', async () => {
  const directory = await createTestDirectory()
  const { status, failed } = run('search-quality.ts', directory.path)
  expect(status).toBe(1)
  expect(failed).toContain('there are queries of the kind "a name as it is published"')
  await directory.remove()
})
