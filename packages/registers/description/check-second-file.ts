/** Checks the second file of a description, whose licensees the first file has. */
import { shown } from '@baize/names'
import { checkTable, fieldChecks, type LocatedProblem, shapeChecker } from '@baize/tables'
import { checkResolve, isHttps } from './check-resolve.ts'
import type { Description } from './description-schema.ts'
import { secondFileSchema } from './second-file.ts'

const checkShape = shapeChecker(secondFileSchema)

export function* checkSecondFile(description: Description): Generator<LocatedProblem> {
  const { second_file, records, mirror } = description
  if (second_file === undefined) return
  const { licensee, authorised_domains } = records
  if (licensee === undefined || authorised_domains !== undefined || mirror !== undefined)
    yield {
      path: ['second_file'],
      at: 'key',
      message: 'second_file needs records.licensee, and no records.authorised_domains or mirror beside it',
    }
  const shape = checkShape(second_file)
  for (const { path, at, message } of shape.length > 0 ? shape : checkMeaning(description, second_file))
    yield { path: ['second_file', ...path], at, message: `second_file: ${message}` }
}

function* checkMeaning(
  { columns }: Description,
  second: NonNullable<Description['second_file']>,
): Generator<LocatedProblem> {
  const { official_url, licensee, domain } = second
  if (!isHttps(official_url))
    yield {
      path: ['official_url'],
      at: 'value',
      message: `official_url must begin with https://, found ${shown(official_url)}`,
    }
  yield* checkResolve(second)
  yield* checkTable(second)
  const check = fieldChecks(second.columns)
  yield* check.column(['licensee', 'column'], licensee.column)
  yield* fieldChecks(columns).column(['licensee', 'as'], licensee.as)
  yield* check.column(['domain', 'column'], domain.column)
}
