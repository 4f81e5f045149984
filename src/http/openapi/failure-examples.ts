import { demoKey } from '../../core/api-key.ts'
import { type FailureCode, failureCatalogue } from '../../core/failure.ts'
import { paymentCategories } from '../../core/value-sets.ts'
import { observationSections } from '../../features/domains/index.ts'
import { keysPage } from '../failures.ts'
import { throttledBody } from '../throttle.ts'

type Example = { message?: string; details?: object }

const timestamp = '2026-03-01T12:00:00.000Z'
const resolveDomainParameters = ['domain', 'include[]', 'max_age_days', 'checked_streams', 'max_credits']
const sections = observationSections.join(', ')
const sectionList = `a list of up to 9 values, each one of ${sections}, without duplicates`
const demoTemplate = '{base_url}/v1/domains/resolve?domain=luckyotter.example'
const rails = `one of ${paymentCategories.join(', ')}`

const examples: Record<FailureCode, Example> = {
  invalid_parameter: {
    message: '"per_page" must be an integer from 1 to 1000.',
    details: { parameter: 'per_page', takes: 'an integer from 1 to 1000' },
  },
  missing_parameter: {
    message: '"domain" is required.',
    details: { parameter: 'domain', takes: 'text of 1 to 2048 characters' },
  },
  unknown_parameter: {
    message: 'There is no parameter "max_credit"; did you mean "max_credits"?',
    details: { parameter: 'max_credit', did_you_mean: 'max_credits', parameters: resolveDomainParameters },
  },
  page_out_of_range: {
    message:
      'Page 101 of 100 rows is beyond the first 10,000 rows. ' +
      'To go further, send next_cursor of the previous page as "after".',
    details: { page: 101, per_page: 100, rows_max: 10_000 },
  },
  invalid_json: {},
  invalid_domain: {
    message: 'The value is an IP address, not a domain. Send a URL or host with a registrable domain.',
    details: { parameter: 'domain', reason: 'ip_address', takes: 'a URL or host with a registrable domain' },
  },
  unknown_include: {
    message: `"include[]" must be ${sectionList}; did you mean "payment_methods"?`,
    details: {
      parameter: 'include[]',
      takes: sectionList,
      did_you_mean: 'payment_methods',
    },
  },
  unknown_platform: { details: { parameter: 'platform', takes: 'a platform that was reviewed' } },
  event_type_not_available: { details: { parameter: 'event_type', event_type: 'expiry_date_passed' } },
  platform_brand_in_query: { details: { parameter: 'q', takes: 'text without the name of a platform' } },
  invalid_cursor: { details: { parameter: 'after' } },
  cursor_filter_mismatch: { details: { parameter: 'after' } },
  legacy_cursor_not_supported: { details: { parameter: 'after' } },
  budget_exceeded: {
    message: 'The call could cost 20 credits, more than is left of the budget of 100 of its session.',
    details: { quoted_credits: 20, budget: 100, budget_scope: 'session' },
  },
  max_credits_exceeded: {
    message: 'The request could cost 6 credits; max_credits allows 3.',
    details: { quoted_credits: 6, max_credits: 3 },
  },
  plan_upgrade_required: {
    message: 'Your plan "free" does not include the feature "exports"; it needs the plan "starter".',
    details: { feature: 'exports', current_plan: 'free', required_plan: 'starter' },
  },
  signed_out: {},
  demo_key_restricted: {
    details: {
      templates: [demoTemplate],
      curl: [`curl -g '${demoTemplate}' -H 'X-API-Key: ${demoKey}'`],
    },
  },
  forged_request: {},
  not_found: {},
  route_not_found: {},
  export_pending: { details: { export_id: 42, status: 'queued' } },
  export_expired: { details: { export_id: 42 } },
  export_failed: { details: { export_id: 42 } },
  method_not_allowed: { details: { allowed: ['GET'] } },
  ambiguous_license_number: { details: { jurisdictions: ['mga', 'ukgc'] } },
  conflicting_lookup_input: {
    message: '"domain" and "name" lead to different Companies.',
    details: { resolved_by: 'domain', conflicting_inputs: ['name'] },
  },
  idempotency_key_reused: { details: { header: 'Idempotency-Key' } },
  prospect_list_not_ready: {},
  body_too_large: { details: { body_bytes_max: 65_536 } },
  unsupported_media_type: {},
  unprocessable_body: {
    message: `"filters.payment_category" must be ${rails}; did you mean "card"?`,
    details: { parameter: 'filters.payment_category', takes: rails, did_you_mean: 'card' },
  },
  quota_exceeded: {
    message: 'The credit balance is exhausted: it does not cover the required 20 credits.',
    details: { granted: 1000, used: 985, reserved: 0, required: 20 },
  },
  internal_error: {},
  search_unavailable: {},
  service_unavailable: {},
}

const withoutCode = {
  unauthorized: {
    success: false,
    message: 'Unauthorized',
    errors: {},
    doc_url: `{base_url}${keysPage}`,
    timestamp,
  },
  throttled: throttledBody('100 requests per minute and IP address are allowed', 17),
}

export type ExampleName = FailureCode | keyof typeof withoutCode

export function exampleBody(name: ExampleName, baseUrl: string): object {
  const body =
    name in withoutCode ? withoutCode[name as keyof typeof withoutCode] : bodyOf(name as FailureCode)
  return JSON.parse(JSON.stringify(body).replaceAll('{base_url}', baseUrl))
}

function bodyOf(name: FailureCode): object {
  const { message = failureCatalogue[name].message, details = {} } = examples[name]
  return {
    success: false,
    message,
    errors: { code: name, details },
    doc_url: `{base_url}/docs/errors/${name}`,
    timestamp,
  }
}
