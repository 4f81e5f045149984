export {
  addJob,
  countJobs,
  findJobs,
  type ListedJob,
  listJobs,
} from './jobs-store.ts'
export { GiveUp, type JobOutcome, Postpone, type Task, type TaskContext } from './task.ts'
export { startWorker, type Worker } from './worker.ts'
