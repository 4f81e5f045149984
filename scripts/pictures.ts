// npm run pictures             writes the generated files (see picture-list.ts)
// npm run pictures -- --check  writes nothing; exits with 1 when one is outdated
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { cloneDatabase } from '../test/harness/clone.ts'
import { startTestServer } from '../test/harness/server.ts'
import { differenceOf, fileOf, pictures } from './picture-list.ts'

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
const server = await startTestServer()
try {
  const { connection } = await cloneDatabase(server.address, server.address.template)
  for (const picture of pictures) {
    if (values.check) {
      const difference = await differenceOf(picture, connection)
      if (difference === null) continue
      console.error(difference)
      process.exitCode = 1
    } else {
      await writeFile(fileOf(picture), await picture.draw(connection))
      console.log(`wrote ${picture.path}`)
    }
  }
} finally {
  await server.dispose()
}
