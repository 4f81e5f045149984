import { Type } from 'typebox'
import { namedObject, nullable } from '../core/schema.ts'

/** A domain in answers (§2.3). */
export const domainEntry = namedObject('DomainEntry', {
  domain_ref: nullable(Type.String(), { description: 'Opaque handle; a selector for firmographics.' }),
  domain: Type.String(),
  inferred_geo: nullable(Type.String(), { description: 'The place that the site appears to address.' }),
})
