/** What open streams take, from what `bench/fanout` measures of one. */

/** What one stream takes of an instance. */
export interface StreamCost {
  /** KiB of an open stream that follows the log. */
  readonly memory: number;
  /** Milliseconds of a core to send one event to one of them. */
  readonly delivery: number;
}

export interface Followers {
  readonly streams: number;
  /** Events that each of them gets in an hour. */
  readonly eventsAnHour: number;
}

/** Of an instance. */
export interface Room {
  /** How busy a core may be on average, from 0 to 1. */
  readonly utilization: number;
  /** MiB for streams: what its machine has, without what an instance takes by itself. */
  readonly memory: number;
}

export interface StreamPlan {
  readonly memoryGiB: number;
  /** Deliveries a second. */
  readonly deliveries: number;
  readonly cores: number;
  /** Of one core each: the more of what the memory takes and what the deliveries take. */
  readonly instances: number;
}

export function planStreams(cost: StreamCost, { streams, eventsAnHour }: Followers, room: Room): StreamPlan {
  const memory = (streams * cost.memory) / 1024;
  const deliveries = (streams * eventsAnHour) / 3600;
  const cores = (deliveries * cost.delivery) / 1000 / room.utilization;
  return {
    memoryGiB: memory / 1024,
    deliveries,
    cores,
    instances: Math.ceil(Math.max(memory / room.memory, cores)),
  };
}
