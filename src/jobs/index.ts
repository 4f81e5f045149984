export {
  addJob,
  countJobs,
  findJobs,
  type JobState,
  type ListedJob,
  listJobs,
} from './jobs-store.ts'
export { type JobOutcome, PermanentFailure, Postpone, type Task, type TaskContext } from './task.ts'
export { startWorker, type Worker } from './worker.ts'
