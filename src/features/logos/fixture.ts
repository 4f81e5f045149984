import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TestService } from '../../../test/harness/service.ts'
import { type ImportReport, importFiles } from '../../dataset/index.ts'

/** Imports interchange files with their images, for tests. */
export type LogoFeed = {
  load(
    lines: readonly object[],
    options?: { now?: Date; mode?: 'strict' | 'skip-invalid' },
  ): Promise<ImportReport>
  put(name: string, content: string | Uint8Array): Promise<void>
  close(): Promise<void>
}

export async function openLogoFeed({ service }: TestService): Promise<LogoFeed> {
  const directory = await mkdtemp(join(tmpdir(), 'baize-logos-'))
  return {
    async put(name, content) {
      await mkdir(dirname(join(directory, name)), { recursive: true })
      await writeFile(join(directory, name), content)
    },
    async load(lines, { now = new Date('2026-05-05T05:05:05Z'), mode = 'strict' } = {}) {
      const file = join(directory, 'lines.ndjson')
      await writeFile(file, lines.map(line => `${JSON.stringify(line)}\n`).join(''))
      return importFiles(service.live, [file], { mode, now, files: service.files })
    },
    close: () => rm(directory, { recursive: true, force: true }),
  }
}

export const logoLine = (subject_kind: string, slug: string, name: string, rest: object = {}) => ({
  kind: 'logo',
  subject_kind,
  slug,
  name,
  ...rest,
})

export const drawing = (width: number, height = 10) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"><path d="M0 0h${width}v${height}z"/></svg>`
