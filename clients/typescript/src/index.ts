export * from './api.ts'
export {
  ApiError,
  BaizeError,
  ConnectionError,
  ThrottledError,
  TimeoutError,
  UnauthorizedError,
} from './api-error.ts'
export { Baize, type BaizeOptions } from './baize.ts'
export { Call, type CallOptions, type Reply } from './call.ts'
export * from './error-codes.ts'
export { Pages, type PagesOptions } from './pages.ts'
export { type KeySet, type Receipt, verifyReceipt } from './verify-receipt.ts'
