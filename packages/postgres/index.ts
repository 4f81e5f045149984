export { BatchReader, type PointRead } from './batch-reader.ts'
export {
  arrayBuffer,
  type BinaryArray,
  byteaArray,
  compositeBuffer,
  int4Array,
  int8Array,
  jsonArray,
  jsonbArray,
  textArray,
  timestamptzArray,
  uuidArray,
} from './binary-arrays.ts'
export { withClientTimeout } from './client-timeout.ts'
export {
  errorCode,
  isConnectionLoss,
  isLockTimeout,
  isStatementTimeout,
  isTransient,
  neverReached,
  UnfitDatabase,
  UnsafeInteger,
} from './errors.ts'
export { listen } from './listen.ts'
export { messageSocket } from './message-socket.ts'
export { connectTimeoutMs, openPool, type PoolOptions } from './pool.ts'
export { type ReadPool, ReplicaPool } from './replica-pool.ts'
export { ReplicaWatch } from './replica-watch.ts'
export { hasPassword, serverUrls, withoutPassword } from './server-urls.ts'
export { ReadOnlyServer, ServerClient, Servers } from './servers.ts'
export { requireSessions, sessionsProblem } from './sessions.ts'
export { StandbyWatch } from './standby-watch.ts'
