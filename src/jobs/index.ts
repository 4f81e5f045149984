export {
  addJob,
  countJobs,
  findJobs,
  type JobCount,
  type JobState,
  type ListedJob,
  listJobs,
} from './jobs-store.ts'
export { GiveUp, type JobOutcome, jobOutcomes, Postpone, type Task, type TaskContext } from './task.ts'
export { startWorker, type Worker, type WorkerOptions } from './worker.ts'
