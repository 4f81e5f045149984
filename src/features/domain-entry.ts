import { Type } from 'typebox'
import { closed, nullable } from '../core/schema.ts'

/** §2.3 */
export const domainEntry = Type.Object(
  {
    domain_ref: nullable(Type.String(), { description: 'Opaque handle; a selector for firmographics.' }),
    domain: Type.String(),
    inferred_geo: nullable(Type.String(), { description: 'The place that the site appears to address.' }),
  },
  { ...closed, named: 'DomainEntry' },
)
