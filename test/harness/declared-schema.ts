import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { catalogue } from '../../src/catalogue.ts'
import { describeData } from '../../src/http/openapi/describe-data.ts'

/** Validates the `data` of an answer against its operation’s schema. Returns the errors, or null. */
export function declaredData(name: string): (data: unknown) => unknown {
  const operation = catalogue.find(each => each.name === name)
  if (operation === undefined) throw new Error(`there is no operation ${name}`)
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  const fits = ajv.compile(describeData(operation))
  return data => (fits(data) ? null : fits.errors)
}
