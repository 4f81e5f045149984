import build from 'fast-json-stringify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LicenseService, startLicenseService } from './fixture.ts'
import { licenseResolutions, refKey } from './resolutions-store.ts'
import { resolveLicense } from './resolve-license.ts'

// PostgreSQL writes profiles; this test compares them with the serialiser of the schema.

const schema = resolveLicense.data.properties.licenses
const written = build(schema as unknown as build.AnySchema)

let service: LicenseService
beforeAll(async () => {
  service = await startLicenseService({ world: 'demo_with_registers' })
})
afterAll(() => service.close())

test('a license profile has the members that its schema declares, in order, and no others', async () => {
  const { live } = service.service
  const licenses = await live.database.selectFrom('licenses').select('license_ref').execute()
  expect(licenses.length).toBeGreaterThan(10)
  for (const { license_ref } of licenses) {
    const text = `[${(await live.readByKey(licenseResolutions, refKey(license_ref)))?.profiles}]`
    const profiles = JSON.parse(text)
    expect(text).toBe(written(profiles))
    expect(profiles.map(Object.keys)).toEqual([Object.keys(schema.items.properties)])
  }
})
