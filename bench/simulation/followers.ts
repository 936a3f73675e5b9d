/** Extrapolates the resources that open streams require from the cost of one stream, which `bench/fanout` measures. */

/** The cost of one stream in an instance. */
export interface StreamCost {
  /** KiB per open stream that follows the log. */
  readonly memory: number;
  /** Milliseconds of a core to send one event to one stream. */
  readonly delivery: number;
}

export interface Followers {
  readonly streams: number;
  /** Events per stream and hour. */
  readonly eventsAnHour: number;
}

/** The capacity of an instance. */
export interface Room {
  /** The maximum average utilization of a core, from 0 to 1. */
  readonly utilization: number;
  /** MiB for streams: the memory of the machine minus what an instance uses without streams. */
  readonly memory: number;
}

export interface StreamPlan {
  readonly memoryGiB: number;
  /** Deliveries a second. */
  readonly deliveries: number;
  readonly cores: number;
  /** Instances with one core each: the larger of the numbers that memory and deliveries require. */
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
