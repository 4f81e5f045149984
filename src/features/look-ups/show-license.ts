import { type Static, Type } from 'typebox'
import { Failure } from '../../core/failure.ts'
import { closedObject } from '../../core/schema.ts'
import { prices } from '../../metering/pricing.ts'
import { licenseNumberInput } from '../inputs.ts'
import { findLicenseCard, resolveLicense } from '../licenses/index.ts'
import { newNonce, paidFields } from '../send-request.ts'
import { type AnswerOf, defineSessionOperation } from '../session-operation.ts'
import { boughtOf, buy, lookUpRoles } from './buy.ts'

const params = closedObject({ license_ref: Type.String({ minLength: 1, maxLength: 64 }) })
const path = '/dashboard/licenses/{license_ref}'

type Resolved = Static<typeof resolveLicense.data>
export type LicenseProfile = Resolved['licenses'][number]

const firstRef = (data: { licenses?: { license_ref: string }[] }) => data.licenses?.[0]?.license_ref ?? null

export const showLicense = defineSessionOperation({
  name: 'show_license',
  method: 'GET',
  path,
  access: lookUpRoles,
  summary: 'A license: its profile, if the account bought it, else the price',
  params,
  failures: ['route_not_found'],
  async answer(context, { license_ref: ref }) {
    const sample = await findLicenseCard(context.world, ref)
    if (sample === undefined) throw new Failure('route_not_found')
    const [bought = null] = await boughtOf<Resolved>(context, resolveLicense.name, [ref])
    return {
      license_ref: ref,
      sample,
      bought,
      price: prices['license.profile'].credits,
      nonce: newNonce(),
    }
  },
})

export type LicenseShown = AnswerOf<typeof showLicense>

export const buyLicense = defineSessionOperation({
  name: 'buy_license',
  method: 'POST',
  path,
  access: lookUpRoles,
  summary: 'Buy the profile of a license',
  params,
  form: closedObject(paidFields),
  failures: resolveLicense.failures,
  answer: async (context, { license_ref, ...paid }) =>
    (await buy(
      context,
      { operation: resolveLicense.name, query: { license_ref }, subject: firstRef },
      paid,
    )) as Resolved,
})

export const lookUpLicense = defineSessionOperation({
  name: 'look_up_license',
  method: 'POST',
  path: '/dashboard/look-ups/license',
  access: lookUpRoles,
  summary: 'Buy the profile of the license of a number',
  form: closedObject({
    license_number: licenseNumberInput,
    jurisdiction: Type.Optional(Type.String({ maxLength: 64 })),
    ...paidFields,
  }),
  failures: resolveLicense.failures,
  async answer(context, { license_number, jurisdiction, ...paid }) {
    const query = { license_number, ...(jurisdiction === undefined ? {} : { jurisdiction }) }
    const purchase = { operation: resolveLicense.name, query, subject: firstRef }
    return { license_ref: firstRef((await buy(context, purchase, paid)) as Resolved) as string }
  },
})
