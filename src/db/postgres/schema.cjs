/** The tables one by one, as drizzle-kit looks for them. Nothing else reads this file. */
module.exports = require('./tables.ts').postgresTables;
