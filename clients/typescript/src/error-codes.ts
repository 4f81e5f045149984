// Generated from openapi.json by `npm run generate`; do not edit.
import { ApiError, type ApiErrorFacts } from './api-error.ts'

export class InvalidParameterError extends ApiError {}
export class MissingParameterError extends ApiError {}
export class UnknownParameterError extends ApiError {}
export class PageOutOfRangeError extends ApiError {}
export class InvalidJsonError extends ApiError {}
export class InvalidDomainError extends ApiError {}
export class UnknownIncludeError extends ApiError {}
export class UnknownPlatformError extends ApiError {}
export class EventTypeNotAvailableError extends ApiError {}
export class PlatformBrandInQueryError extends ApiError {}
export class BeforeHistoryError extends ApiError {}
export class InvalidCursorError extends ApiError {}
export class CursorFilterMismatchError extends ApiError {}
export class LegacyCursorNotSupportedError extends ApiError {}
export class BudgetExceededError extends ApiError {}
export class MaxCreditsExceededError extends ApiError {}
export class PlanUpgradeRequiredError extends ApiError {}
export class SignedOutError extends ApiError {}
export class DemoKeyRestrictedError extends ApiError {}
export class ForgedRequestError extends ApiError {}
export class NotFoundError extends ApiError {}
export class RouteNotFoundError extends ApiError {}
export class ExportPendingError extends ApiError {}
export class ExportExpiredError extends ApiError {}
export class ExportFailedError extends ApiError {}
export class MethodNotAllowedError extends ApiError {}
export class AmbiguousLicenseNumberError extends ApiError {}
export class ConflictingLookupInputError extends ApiError {}
export class IdempotencyKeyReusedError extends ApiError {}
export class PortfolioLimitError extends ApiError {}
export class ProspectListNotReadyError extends ApiError {}
export class BodyTooLargeError extends ApiError {}
export class UnsupportedMediaTypeError extends ApiError {}
export class UnprocessableBodyError extends ApiError {}
export class LobbyRunsFailedError extends ApiError {}
export class QuotaExceededError extends ApiError {}
export class InternalError extends ApiError {}
export class RendererUnavailableError extends ApiError {}
export class SearchUnavailableError extends ApiError {}
export class ServiceUnavailableError extends ApiError {}

export const errorClasses: Record<string, new (facts: ApiErrorFacts) => ApiError> = {
  invalid_parameter: InvalidParameterError,
  missing_parameter: MissingParameterError,
  unknown_parameter: UnknownParameterError,
  page_out_of_range: PageOutOfRangeError,
  invalid_json: InvalidJsonError,
  invalid_domain: InvalidDomainError,
  unknown_include: UnknownIncludeError,
  unknown_platform: UnknownPlatformError,
  event_type_not_available: EventTypeNotAvailableError,
  platform_brand_in_query: PlatformBrandInQueryError,
  before_history: BeforeHistoryError,
  invalid_cursor: InvalidCursorError,
  cursor_filter_mismatch: CursorFilterMismatchError,
  legacy_cursor_not_supported: LegacyCursorNotSupportedError,
  budget_exceeded: BudgetExceededError,
  max_credits_exceeded: MaxCreditsExceededError,
  plan_upgrade_required: PlanUpgradeRequiredError,
  signed_out: SignedOutError,
  demo_key_restricted: DemoKeyRestrictedError,
  forged_request: ForgedRequestError,
  not_found: NotFoundError,
  route_not_found: RouteNotFoundError,
  export_pending: ExportPendingError,
  export_expired: ExportExpiredError,
  export_failed: ExportFailedError,
  method_not_allowed: MethodNotAllowedError,
  ambiguous_license_number: AmbiguousLicenseNumberError,
  conflicting_lookup_input: ConflictingLookupInputError,
  idempotency_key_reused: IdempotencyKeyReusedError,
  portfolio_limit: PortfolioLimitError,
  prospect_list_not_ready: ProspectListNotReadyError,
  body_too_large: BodyTooLargeError,
  unsupported_media_type: UnsupportedMediaTypeError,
  unprocessable_body: UnprocessableBodyError,
  lobby_runs_failed: LobbyRunsFailedError,
  quota_exceeded: QuotaExceededError,
  internal_error: InternalError,
  renderer_unavailable: RendererUnavailableError,
  search_unavailable: SearchUnavailableError,
  service_unavailable: ServiceUnavailableError,
}
