// Writes the generated files (generated/files.ts): `npm run generate`. With `-- --check` it writes nothing,
// and exits with 1 if a file is outdated.
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { cloneDatabase } from '../test/harness/clone.ts'
import { startTestServer } from '../test/harness/server.ts'
import { differenceOf, generatedFiles, generatedPath } from './generated/files.ts'

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
const server = await startTestServer()
try {
  const { connection } = await cloneDatabase(server.address, server.address.template)
  for (const file of generatedFiles) {
    if (values.check) {
      const difference = await differenceOf(file, connection)
      if (difference === null) continue
      console.error(difference)
      process.exitCode = 1
    } else {
      await writeFile(generatedPath(file), await file.draw(connection))
      console.log(`wrote ${file.path}`)
    }
  }
} finally {
  await server.dispose()
}
