import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { postgresPrograms } from './processes.ts'

const libraries = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu'].map(
  place => `${place}/faketime/libfaketimeMT.so.1`,
)
const library = libraries.find(existsSync) ?? null

/** Lets the clocks of chosen programs jump, with Debian's libfaketime. */
export type Clock = {
  environmentOf(name: string): Record<string, string>
  /** Returns a directory with the programs of PostgreSQL, of which the server has this clock. */
  programsOf(name: string): Promise<string>
  jump(name: string, hours: number): Promise<void>
}

/** Returns null where libfaketime is missing. */
export async function openClock(directory: string, names: readonly string[]): Promise<Clock | null> {
  if (library === null) return null
  const fileOf = (name: string) => join(directory, `clock-${name}`)
  const jump = (name: string, hours: number) =>
    writeFile(fileOf(name), `${hours < 0 ? '-' : '+'}${Math.abs(hours) * 3_600}\n`)
  const environmentOf = (name: string) => ({
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: fileOf(name),
    FAKETIME_CACHE_DURATION: '1',
    // Waits are measured by the monotonic clock, which does not jump.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  })
  for (const name of names) {
    await jump(name, 0)
    await chmod(fileOf(name), 0o644)
  }
  return {
    jump,
    environmentOf,
    async programsOf(name) {
      const programs = join(directory, `programs-${name}`)
      await mkdir(programs)
      for (const each of await readdir(postgresPrograms))
        if (each !== 'postgres') await symlink(join(postgresPrograms, each), join(programs, each))
      const variables = Object.entries(environmentOf(name)).map(([key, value]) => `${key}=${value}`)
      const server = `exec env ${variables.join(' ')} ${postgresPrograms}/postgres "$@"`
      await writeFile(join(programs, 'postgres'), `#!/bin/sh\n${server}\n`, { mode: 0o755 })
      return programs
    },
  }
}
