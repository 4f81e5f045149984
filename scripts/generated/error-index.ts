import { readFile } from 'node:fs/promises'
import { failureCatalogue } from '../../src/core/failure.ts'

const file = new URL('../../docs/errors/README.md', import.meta.url)
const heading = '| Code | Status | Message |\n|---|---|---|\n'

/** Returns docs/errors/README.md with the table of all codes at its end. */
export async function drawErrorIndex(): Promise<string> {
  const [written = ''] = (await readFile(file, 'utf8')).split(heading)
  const rows = Object.entries(failureCatalogue).map(
    ([code, { status, message }]) => `| [\`${code}\`](${code}.md) | ${status} | ${message} |\n`,
  )
  return `${written}${heading}${rows.join('')}`
}
