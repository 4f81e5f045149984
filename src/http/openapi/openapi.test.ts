import { licenseStatuses } from '@baize/registers/entries'
import { validate } from '@scalar/openapi-parser'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { catalogue } from '../../catalogue.ts'
import { inputReader, type RawInput } from '../read/read-input.ts'
import { exampleBody } from './failure-examples.ts'
import { openApiDocument } from './openapi.ts'

type Media = { schema: object; example?: unknown; examples?: Record<string, { $ref: string }> }
type Parameter = {
  name: string
  in?: string
  $ref?: string
  example?: unknown
  examples?: unknown
}
type Answer = { $ref?: string; headers?: object; content: Record<'application/json', Media> }
type Described = {
  operationId: string
  parameters: Parameter[]
  requestBody?: { content: Record<'application/json', Media> }
  responses: Record<string, Answer>
}
type Document = {
  paths: Record<string, Record<string, Described>>
  info: Schema
  tags: Schema[]
  components: {
    schemas: Record<string, Schema>
    responses: Record<string, Answer>
    examples: Record<string, { value: unknown }>
  }
}

const baseUrl = 'http://localhost:8080'
const document = openApiDocument(catalogue, baseUrl) as Document
const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addSchema(document, 'openapi.json')

const described = (operation: (typeof catalogue)[number]) =>
  document.paths[operation.path]?.[operation.method.toLowerCase()] as Described

test('the document is valid OpenAPI 3.1', async () => {
  const { valid, version, errors } = await validate(structuredClone(document))
  expect({ valid, version, errors }).toEqual({ valid: true, version: '3.1', errors: [] })
})

/** Returns the response, even if an operation refers to a shared one. */
const answerOf = (answer: Answer): Answer =>
  document.components.responses[answer.$ref?.split('/').at(-1) ?? ''] ?? answer

test('the document contains no keyword that only our code understands', () => {
  expect(JSON.stringify(document)).not.toMatch(/"failure":"|"named":"|"shared":"|"known":|"~/)
})

test('the document describes parameters and fields in words, without sections of another document', () => {
  const operations = /Specification §/
  const cited = JSON.stringify(document, null, 1)
    .split('\n')
    .filter(line => line.includes('§') && !operations.test(line))
  expect(cited).toEqual([])
})

test('the document has a contact, and describes the operations of each tag', () => {
  expect(document.info.contact).toEqual({ name: expect.any(String), url: `${baseUrl}/docs` })
  for (const tag of document.tags) expect(tag).toEqual({ name: tag.name, description: expect.any(String) })
})

test('the document defines a response that several operations share once', () => {
  const written = Object.values(document.paths)
    .flatMap(methods => Object.values(methods))
    .flatMap(({ responses }) => Object.entries(responses))
    .filter(([status, { $ref }]) => Number(status) >= 400 && $ref === undefined)
    .filter(([, { content }]) => Object.keys(content?.['application/json'].examples ?? {}).length <= 2)
    .map(([, answer]) => JSON.stringify(answer))
  expect(written.filter((answer, place) => written.indexOf(answer) !== place)).toEqual([])
  for (const name of Object.keys(document.components.responses))
    expect(JSON.stringify(document.paths).split(`"#/components/responses/${name}"`).length).toBeGreaterThan(2)
})

test('every failure of an operation has an example, and every example is used', () => {
  const text = JSON.stringify([document.paths, document.components.responses])
  for (const name of Object.keys(document.components.examples)) {
    expect(text).toContain(`"#/components/examples/${name}"`)
  }
  for (const code of catalogue.flatMap(operation => operation.failures)) {
    expect(document.components.examples).toHaveProperty(code)
  }
})

/** Yields every object of the document that is or contains a schema, with its path. Values are left out. */
function* schemasIn(node: unknown, path = ''): Generator<[path: string, schema: Schema]> {
  if (typeof node !== 'object' || node === null) return
  yield [path, node as Schema]
  for (const [key, each] of Object.entries(node))
    if (!['example', 'examples', 'x-demo'].includes(key)) yield* schemasIn(each, `${path}/${key}`)
}

type Schema = Record<string, unknown>

describe('types for generated clients', () => {
  const schemas = [...schemasIn(document)]
  const typeNamed = (name: string) => document.components.schemas[name]

  test.each([
    'DomainEntry',
    'Role',
    'Jurisdiction',
    'Verdict',
    'CompanyProfile',
    'LicenseHit',
    'RegisterChange',
  ])('a generated client has one type %s for all operations that return it', name => {
    const shape = JSON.stringify(typeNamed(name)?.properties ?? typeNamed(name)?.enum)
    const written = schemas.filter(([, each]) => JSON.stringify(each.properties ?? each.enum) === shape)
    expect(written.map(([path]) => path)).toEqual([`/components/schemas/${name}`])
  })

  test('a generated client allows null where a named type may be missing', () => {
    expect(typeNamed('CompanyHit')?.properties).toMatchObject({
      primary_domain: { anyOf: [{ $ref: '#/components/schemas/DomainEntry' }, { type: 'null' }] },
    })
    expect(typeNamed('Contact')?.properties).toMatchObject({
      role_key: {
        anyOf: [{ $ref: '#/components/schemas/RoleKey' }, { type: 'null' }],
        description: expect.stringContaining('glossary key'),
      },
    })
    expect(typeNamed('RoleKey')?.enum).not.toContain(null)
  })

  test('a generated client has a type for the data of each response', () => {
    for (const { name } of catalogue.filter(each => each.download === undefined)) {
      const [envelope, answer] = ['Envelope', 'Answer'].map(
        kind => name.replaceAll(/(?:^|_)(.)/g, (_, first) => first.toUpperCase()) + kind,
      )
      const data = { $ref: `#/components/schemas/${answer}` }
      expect(typeNamed(envelope as string)?.allOf).toEqual([
        { $ref: '#/components/schemas/SuccessEnvelope' },
        { type: 'object', required: ['data'], properties: { data } },
      ])
    }
    expect(typeNamed('SuccessEnvelope')?.properties).not.toHaveProperty('data')
  })

  test('a generated client names the usual statuses of licenses, and accepts other statuses', () => {
    expect(typeNamed('LicenseStatus')?.anyOf).toEqual([
      { type: 'string', enum: [...licenseStatuses] },
      { type: 'string', minLength: 1, maxLength: 200 },
    ])
  })

  test('no type has a name that a generator uses for a request or an answer', () => {
    const words = catalogue.map(({ name }) =>
      name.replaceAll(/(?:^|_)(.)/g, (_, first) => first.toUpperCase()),
    )
    const taken = words.flatMap(name =>
      ['Data', 'Response', 'Responses', 'Result', 'Params', 'Body', 'Error', 'Errors'].map(
        kind => name + kind,
      ),
    )
    expect(Object.keys(document.components.schemas).filter(name => taken.includes(name))).toEqual([])
  })

  test('a generated client may read any member of an object without declared properties', () => {
    const closed = schemas.filter(
      ([, { type, properties, additionalProperties, allOf }]) =>
        type === 'object' && !properties && !additionalProperties && !allOf,
    )
    expect(closed.map(([path]) => path)).toEqual([])
  })

  test('every alternative of a union in the document has a type', () => {
    const untyped = schemas.flatMap(([path, { anyOf }]) =>
      (Array.isArray(anyOf) ? anyOf : [])
        .filter(({ type, $ref }: Schema) => type === undefined && $ref === undefined)
        .map(() => path),
    )
    expect(untyped).toEqual([])
  })

  test('a generated client can write every pattern into its code', () => {
    const patterns = schemas.flatMap(([, { pattern }]) => (typeof pattern === 'string' ? [pattern] : []))
    expect(patterns).not.toEqual([])
    for (const pattern of patterns) {
      expect(() => new RegExp(pattern, 'u')).not.toThrow()
      // Generators write these escapes as characters, and a line break would end a pattern.
      expect(pattern).not.toContain('\\u')
    }
  })
})

describe.each(catalogue)('the description of $name', operation => {
  test('the description of an operation has every parameter that it accepts', () => {
    const inQuery = described(operation).parameters.filter(parameter => parameter.in === 'query')
    expect(inQuery.map(parameter => parameter.name)).toEqual(Object.keys(operation.query.properties))
  })

  if (operation.demo.length > 0)
    test('the examples of an operation form its first demo template', () => {
      const { parameters, requestBody } = described(operation)
      const sent = parameters.filter(parameter => parameter.example !== undefined)
      const texts = sent.map(({ name, example }) => [
        name,
        Array.isArray(example) ? example : String(example),
      ])
      const { query, params, body = {} } = operation.demo[0] as (typeof operation.demo)[number]
      expect(Object.fromEntries(texts)).toEqual({ ...params, ...query })
      if (operation.body !== undefined) expect(requestBody?.content['application/json'].example).toEqual(body)
    })

  test('an operation has an example for each parameter of its working request, and for no other', () => {
    const sent = { ...operation.demo[0]?.query, ...operation.demo[0]?.params }
    for (const { name, example, examples } of described(operation).parameters) {
      expect({ name, examples }).toEqual({ name, examples: undefined })
      if (operation.demo.length > 0) expect(example !== undefined).toBe(name in sent)
    }
  })

  test('priced operations accept an Idempotency-Key, and free operations do not', () => {
    const references = described(operation).parameters.filter(parameter => parameter.$ref !== undefined)
    expect(references.length).toBe(operation.prices.length > 0 ? 1 : 0)
  })

  test('operations whose answers may be cached document Cache-Control, and others do not', () => {
    const { responses } = described(operation)
    const { headers = {} } = responses[operation.success?.status ?? 200] ?? {}
    expect('Cache-Control' in headers).toBe(operation.cacheSeconds !== undefined)
  })

  test.each(Object.entries(described(operation).responses))(
    'the examples of an operation for %s fit their schema',
    (status, answer) => {
      const { content } = answerOf(answer)
      const media = content?.['application/json']
      // A file or a missing range has no JSON. The tests of the operation check its content.
      if (media === undefined) {
        expect(Object.keys(operation.download ?? {})).toEqual(
          expect.arrayContaining(Object.keys(content ?? {})),
        )
        return
      }
      const path = `/paths/${operation.path.replaceAll('/', '~1')}/${operation.method.toLowerCase()}`
      const pointer = answer.$ref ?? `#${path}/responses/${status}`
      const check = ajv.compile({ $ref: `openapi.json${pointer}/content/application~1json/schema` })
      const named = Object.keys(media.examples ?? {}).map(name => document.components.examples[name]?.value)
      const examples = media.example === undefined ? named : [media.example]
      expect(examples).not.toEqual([])
      for (const example of examples) expect(check(example) ? [] : check.errors).toEqual([])
    },
  )
})

// The server raises these failures before it reads anything.
const refusedInputs = {
  invalid_parameter: ['search_domains', { query: { verdict: 'mixed', per_page: '0' } }],
  missing_parameter: ['resolve_domain', { query: {} }],
  unknown_parameter: ['resolve_domain', { query: { domain: 'luckyotter.example', max_credit: '1' } }],
  unknown_include: [
    'resolve_domain',
    { query: { domain: 'luckyotter.example', 'include[]': ['paymentMethods'] } },
  ],
  invalid_domain: ['resolve_domain', { query: { domain: '192.0.2.1' } }],
  unprocessable_body: [
    'create_export',
    { query: {}, body: { export_format: 'csv', filters: { payment_category: 'cards' } } },
  ],
} satisfies Record<string, [string, RawInput]>

test.each(Object.keys(refusedInputs) as (keyof typeof refusedInputs)[])(
  'the example of %s is the answer of the service',
  code => {
    const [name, sent] = refusedInputs[code]
    const operation = catalogue.find(each => each.name === name)
    if (operation === undefined) throw new Error(`no operation ${name}`)
    const refuse = () => {
      const input = inputReader(operation)(sent)
      operation.canonical?.(input)
    }
    const { message, errors } = exampleBody(code, baseUrl) as { message: string; errors: { details: object } }
    expect(raisedBy(refuse)).toMatchObject({ code, message, details: errors.details })
  },
)

function raisedBy(work: () => void): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  return null
}
